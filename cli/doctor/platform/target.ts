import { proxySecrets } from '../../../suites/client/transport.ts'
import { examineAll } from '../examine.ts'
import type { DoctorTarget } from '../target.ts'
import { createPlatformLook, type PlatformDoctorOptions } from './context.ts'
import { platformExaminations } from './examinations.ts'

const ready = 'Ready. With `--risk write` and `--group <slug>` a run creates demo accounts.'

/** A platform to examine. */
export function platformTarget(options: PlatformDoctorOptions): DoctorTarget {
  const { key, secret, url, transport } = options
  return {
    ...{ api: 'platform', url, target: { key } },
    secrets: [key, secret ?? '', ...proxySecrets(transport)],
    examine: (redact) => examineAll(platformExaminations, createPlatformLook(options, redact)),
    conclusions: { none: 'Not ready: the platform cannot be judged.', read: ready, any: ready },
  }
}
