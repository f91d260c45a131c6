import type { Logger } from 'pino'
import { combine } from '../../simulator/defect-parts/combine.ts'
import type { DefectOf } from '../../simulator/defect-parts/defect.ts'
import { didYouMean } from '../../simulator/documents/nearest.ts'
import { platformDefects } from '../../simulator/platform/defects/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { UsageError } from '../command-error.ts'
import type { SimulateFlags } from './command.ts'

type Override<AllHooks> = (hooks: AllHooks) => Partial<AllHooks>

/** Resolves and logs the defects; null for none. @throws {UsageError} for an unknown id or a missing platform */
export function resolveDefects(
  ids: readonly string[],
  { platformPort }: Pick<SimulateFlags, 'platformPort'>,
  log: Logger,
) {
  const known = [...pluginDefects, ...platformDefects].map(({ id }) => id)
  const unknown = ids.find((id) => !known.some((one) => one === id))
  if (unknown !== undefined) {
    const message = `Unknown defect \`${unknown}\`.${didYouMean(unknown, known, '`')}`
    throw new UsageError(message, 'Run `copytrade-tck defects` for the list.')
  }
  const ofPlatform = ids.find((id) => platformDefects.some((defect) => defect.id === id))
  if (ofPlatform !== undefined && platformPort === undefined) {
    throw new UsageError(
      `\`--defect ${ofPlatform}\` requires \`--platform-port\`: it is a defect of the platform API.`,
      'Add `--platform-port 0`.',
    )
  }
  return { plugin: combined(ids, pluginDefects, log), platform: combined(ids, platformDefects, log) }
}

/** The defects of an API with these ids, in the order of the ids. */
function combined<AllHooks extends object>(
  ids: readonly string[],
  all: readonly Pick<DefectOf<unknown, string, Override<AllHooks>>, 'id' | 'summary' | 'override'>[],
  log: Logger,
) {
  const defects = [...new Set(ids)].flatMap((id) => all.find((defect) => defect.id === id) ?? [])
  if (defects.length === 0) return null
  for (const { id, summary } of defects) log.warn({ defect: id }, summary)
  return combine(defects.map(({ override }) => override))
}
