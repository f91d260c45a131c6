import { examineClock } from '../clock.ts'
import type { Examination } from '../examination.ts'
import { examineCertificate } from './certificate.ts'
import type { PluginLook } from './context.ts'
import { examineHeaders, examineKey, examineWrongKey } from './key.ts'
import { examineCapacity, examineList, examineLogins } from './list.ts'
import { examineName, examinePort } from './reach.ts'
import { examineChecks } from './scope.ts'
import { examineHttp } from './speak.ts'
import { examinePlugin } from './status.ts'

/** What `doctor` looks at on a plugin, in this order. */
export const pluginExaminations: readonly Examination<PluginLook>[] = [
  { name: 'name', needs: [], forbids: 'everything', examine: examineName },
  { name: 'port', needs: ['name'], forbids: 'everything', examine: examinePort },
  { name: 'certificate', needs: ['port'], forbids: 'everything', examine: examineCertificate },
  { name: 'http', needs: ['certificate'], forbids: 'everything', examine: examineHttp },
  { name: 'plugin', needs: ['http'], forbids: 'everything', examine: examinePlugin },
  { name: 'key', needs: ['plugin'], forbids: 'everything', examine: examineKey },
  { name: 'key headers', needs: ['key'], forbids: 'writing', examine: examineHeaders },
  { name: 'wrong key', needs: ['plugin'], forbids: 'nothing', examine: examineWrongKey },
  { name: 'list', needs: ['key'], forbids: 'writing', examine: examineList },
  { name: 'capacity', needs: ['list'], forbids: 'nothing', examine: examineCapacity },
  { name: 'clock', needs: ['http'], forbids: 'nothing', examine: ({ status }) => examineClock(status) },
  { name: 'logins', needs: ['list'], forbids: 'writing', examine: examineLogins },
  { name: 'checks', needs: ['key'], forbids: 'nothing', examine: examineChecks },
]
