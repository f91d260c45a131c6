import { proxySecrets } from '../../../suites/client/transport.ts'
import { examineAll } from '../examine.ts'
import type { DoctorTarget } from '../target.ts'
import { createPluginLook, type PluginDoctorOptions } from './context.ts'
import { pluginExaminations } from './examinations.ts'

/** A plugin to examine. */
export function pluginTarget(options: PluginDoctorOptions): DoctorTarget {
  const { key, url, transport } = options
  return {
    ...{ api: 'plugin', url, target: { key: key ?? '' } },
    secrets: [...(key === null ? [] : [key]), ...proxySecrets(transport)],
    examine: (redact) => examineAll(pluginExaminations, createPluginLook(options, redact)),
    conclusions: {
      none: 'Not ready: the target cannot be judged.',
      read: 'Ready for `--risk read`. Writing is unsafe until the problem above is fixed.',
      any: 'Ready for any `--risk`.',
    },
  }
}
