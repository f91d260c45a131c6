import { visibleLine } from '../../../reports/visible.ts'
import { FailedExpectation } from '../../../suites/assertions/failure.ts'
import { createClient } from '../../../suites/client/client.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import { describeRule } from '../../../suites/model/rule.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/context.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import { type ListState, listState } from '../../../suites/safety/list-state.ts'
import { isWithin, type LoginRange } from '../../../suites/session/logins.ts'
import { createPlugin, type Plugin } from '../../../suites/session/plugin.ts'
import { rulesIn } from '../../../suites/session/rules.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'
import { remedyFor } from '../../transport/explain.ts'

/** What a first look at a plugin shows. */
export interface Inspection {
  readonly plugin: { readonly name: string; readonly version: string } | null
  /** Null where the list cannot be read; then nothing may be written either. */
  readonly list: ListState | null
}

/**
 * Looks at a plugin before anything is judged. Sends only GET.
 *
 * @throws {UnreachableError} when nothing answers, or the key is rejected
 * @throws {UsageError} when the list holds rules with logins that the kit would use
 */
export async function inspectPlugin(settings: PluginSettings, shared: Shared): Promise<Inspection> {
  const { target, risk, logins, timeoutMs } = settings
  const { url, transport, key } = target
  const plugin = createPlugin(createClient({ ...shared, baseUrl: url, transport, timeoutMs }), key)
  try {
    const status = await plugin.status()
    if (status.status === 401) {
      throw new UnreachableError(
        `${url} rejects the key.`,
        'Give the value of the plugin parameter `API_Key`, in `TCK_API_KEY`, `--api-key-file` or `--api-key`.',
      )
    }
    const list = await readList(plugin)
    if (risk !== 'read' && list !== null && target.server === null) rejectForeignLogins(logins, list)
    return { plugin: pluginOf(status.json, shared.redact), list }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    throw new UnreachableError(
      `${url} cannot be reached: ${visibleLine(shared.redact(error.message))}.`,
      remedyFor(error.cause, transport, 'Check the address and the port. An empty `API_Key` disables the API.'),
      { cause: error },
    )
  }
}

async function readList(plugin: Plugin): Promise<ListState | null> {
  try {
    return listState(rulesIn(await plugin.list()))
  } catch (error) {
    if (error instanceof FailedExpectation) return null
    throw error
  }
}

function rejectForeignLogins(logins: LoginRange, { rules }: ListState): void {
  const taken = rules.find((rule) => isWithin(logins, rule))
  if (taken === undefined) return
  throw new UsageError(
    `The list already has a rule with a login of the kit's range: ${describeRule(taken)}.`,
    'Nothing was changed. Give an unused range with `--logins <from-to>`.',
  )
}

function pluginOf(json: unknown, redact: (text: string) => string): Inspection['plugin'] {
  const { plugin, version } = (json ?? {}) as { plugin?: unknown; version?: unknown }
  return typeof plugin === 'string' && typeof version === 'string'
    ? { name: redact(plugin), version: redact(version) }
    : null
}
