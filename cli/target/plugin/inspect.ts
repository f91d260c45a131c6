import { visibleLine } from '../../../reports/visible.ts'
import { FailedExpectation } from '../../../suites/assertions/failure.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import { describeRule } from '../../../suites/model/rule.ts'
import type { PluginContext } from '../../../suites/runner/plugin/context.ts'
import { type ListState, listState } from '../../../suites/safety/list-state.ts'
import { isWithin } from '../../../suites/session/logins.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'
import { remedyFor } from '../../transport/explain.ts'

/** What a first look at the target tells. */
export interface Found {
  readonly plugin: { readonly name: string; readonly version: string } | null
  /** Null where the list cannot be read; then nothing may be written either. */
  readonly list: ListState | null
}

/**
 * Looks before anything is judged.
 *
 * @throws {UnreachableError} when nothing answers, or the key is refused
 * @throws {UsageError} when the list holds rules with logins that the kit would use
 */
export async function preflight(context: PluginContext): Promise<Found> {
  const { settings, main } = context
  try {
    const status = await main.plugin.status()
    if (status.status === 401) {
      throw new UnreachableError(
        `${settings.target.url} refuses the key.`,
        'Compare it with the parameter API_Key of the plugin: TCK_API_KEY, --api-key-file or --api-key.',
      )
    }
    const list = await readList(context)
    if (settings.risk !== 'read' && list !== null && !context.owned) refuseForeignLogins(context, list)
    return { plugin: pluginOf(status.json, context.redact), list }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    throw new UnreachableError(
      `${settings.target.url} cannot be reached: ${visibleLine(context.redact(error.message))}.`,
      remedyFor(
        error.cause,
        settings.target.transport,
        'Check the address and the port; an empty API_Key disables the API entirely.',
      ),
      { cause: error },
    )
  }
}

async function readList({ main }: PluginContext): Promise<ListState | null> {
  try {
    return listState(await main.rules.read())
  } catch (error) {
    if (error instanceof FailedExpectation) return null
    throw error
  }
}

function refuseForeignLogins({ settings }: PluginContext, { rules }: ListState): void {
  const taken = rules.find((rule) => isWithin(settings.logins, rule))
  if (taken === undefined) return
  throw new UsageError(
    `The list already holds a rule with a login of the kit's range: ${describeRule(taken)}.`,
    'Nothing was changed. Choose logins that belong to nobody with --logins <from>-<to>.',
  )
}

function pluginOf(json: unknown, redact: (text: string) => string): Found['plugin'] {
  const { plugin, version } = (json ?? {}) as { plugin?: unknown; version?: unknown }
  return typeof plugin === 'string' && typeof version === 'string'
    ? { name: redact(plugin), version: redact(version) }
    : null
}
