import { nearest } from '../../simulator/documents/nearest.ts'
import { type PlatformDefect, platformDefects } from '../../simulator/platform/defects/index.ts'
import type { Defect } from '../../simulator/plugin/defects/defect.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { UsageError } from '../command-error.ts'
import type { SimulateFlags } from './options.ts'

/** The defect of each simulator; null for a correct one. */
export interface ChosenDefects {
  readonly plugin: Defect | null
  readonly platform: PlatformDefect | null
}

/**
 * The defect that --defect names.
 *
 * @throws {UsageError} for an unknown id, and for a defect of a platform that is not served
 */
export function resolveDefect(id: string, { platformPort }: Pick<SimulateFlags, 'platformPort'>): ChosenDefects {
  const plugin = pluginDefects.find((known) => known.id === id) ?? null
  const platform = platformDefects.find((known) => known.id === id) ?? null
  if (platform !== null && platformPort === undefined) {
    throw new UsageError(
      `\`--defect ${id}\` requires \`--platform-port\`: it is a defect of the platform API.`,
      'Add `--platform-port 0`.',
    )
  }
  if (plugin !== null || platform !== null) return { plugin, platform }
  const ids = [...pluginDefects, ...platformDefects].map((known) => known.id)
  throw new UsageError(
    `Unknown defect \`${id}\`. Did you mean \`${nearest(id, ids)}\`?`,
    'Run `copytrade-tck defects` for the list.',
  )
}
