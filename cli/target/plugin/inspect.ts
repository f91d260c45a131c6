import { visibleLine } from '../../../reports/visible.ts'
import { createClient } from '../../../suites/client/client.ts'
import { type HttpResponse, NoResponse, orNoResponse } from '../../../suites/client/response.ts'
import { NoHandshake } from '../../../suites/client/wait.ts'
import { describeRule } from '../../../suites/model/rule.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import { isMalformed } from '../../../suites/runner/server-under-test.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import { type ListState, listState } from '../../../suites/safety/list-state.ts'
import { isWithin, type LoginRange } from '../../../suites/session/logins.ts'
import { createPlugin, type Plugin } from '../../../suites/session/plugin.ts'
import { rulesOrNull } from '../../../suites/session/rules.ts'
import { baseUrlOf, type Target } from '../../../suites/targets/target.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'
import { isKeyRejected, keyRemedy, remedyFor } from '../../transport/explain.ts'
import type { OpenApi } from '../api.ts'

export type Inspection = Awaited<ReturnType<typeof inspectPlugin>>

/**
 * Sends only GET. Wrong responses are left to the checks; without any there is nothing to judge. `keySource` is null if
 * the kit chose the key. @throws {UnreachableError}, or {UsageError} for rules with logins that the kit would use
 */
export async function inspectPlugin(settings: PluginSettings, shared: Shared, keySource: string | null) {
  const { target, risk, logins, timeoutMs } = settings
  const { url, transport, key } = target
  const inspectAt = (baseUrl: string, keyAs?: 'bearer') =>
    inspect(createPlugin(createClient({ ...shared, baseUrl, transport, timeoutMs }), key, keyAs))
  const inApiKey = await inspectAt(url)
  const seen = isRejected(inApiKey) ? await inspectAt(url, 'bearer') : inApiKey
  if (target.server === null && isOtherServer(seen)) throw await wrongAddress(url, seen.status, inspectAt)
  if (isRejected(seen)) {
    const rejected = keySource === null ? 'the key' : `the key of \`${keySource}\``
    throw new UnreachableError(`${url} rejects ${rejected}.`, remedyForKey(target, seen))
  }
  const { status, list: listed } = seen
  if (status instanceof NoResponse && listed instanceof NoResponse && !isMalformed(status) && !isMalformed(listed)) {
    const reason = visibleLine(shared.redact(status.message))
    const remedy = remedyFor(status.cause, transport, silentRemedy)
    throw new UnreachableError(`${url} cannot be reached: ${reason}.`, remedy, { cause: status })
  }
  const rules = listed instanceof NoResponse ? null : rulesOrNull(listed)
  const list = rules && listState(rules)
  if (risk !== 'read' && list !== null && target.server === null) rejectForeignLogins(logins, list)
  const plugin = status instanceof NoResponse ? null : pluginOf(status.json, shared.redact)
  return {
    plugin,
    /** Null if the list cannot be read. Nothing may be written then. */
    list,
    /** The header in which the key is accepted, if not `X-API-Key`. */
    ...(seen === inApiKey ? {} : { keyAs: 'bearer' as const }),
  }
}

const silentRemedy =
  'Check the address and the port, and `--timeout` for a slow server. An empty `API_Key` disables the API.'

type Inspected = Awaited<ReturnType<typeof inspect>>

/** The responses to the two reads, or why there are none. */
async function inspect(plugin: Plugin) {
  const status = await orNoResponse(plugin.status())
  // After a failed TLS handshake there is no need to try the list.
  const hasFailedHandshake = status instanceof NoResponse && status.cause instanceof NoHandshake
  return { status, list: hasFailedHandshake ? status : await orNoResponse(plugin.list()) }
}

/** If only one operation is rejected, that operation may be faulty. */
function isRejected({ status, list }: Inspected): boolean {
  const states = [status, list].flatMap((one) => (one instanceof NoResponse ? [] : one.status))
  return states.length > 0 && states.every(isKeyRejected)
}

function remedyForKey({ server }: Target, { status, list }: Inspected): string {
  if (server !== null) {
    return 'The server must accept the key in the member `API_Key` of the JSON file that the environment variable `TCK_PARAMETERS` names.'
  }
  const response = status instanceof NoResponse ? list : status
  const body = response instanceof NoResponse ? null : (response.json as { error?: unknown } | null | undefined)
  return typeof body?.error === 'object'
    ? `If this is a platform API, give its address with \`--platform-url\`. ${keyRemedy}`
    : keyRemedy
}

function rejectForeignLogins(logins: LoginRange, { rules }: ListState): void {
  const taken = rules.find((rule) => isWithin(logins, rule))
  if (taken === undefined) return
  throw new UsageError(
    `The list already has a rule with a login of the kit's range: ${describeRule(taken)}.`,
    'Nothing was changed. Give an unused range with `--logins <from-to>`.',
  )
}

function pluginOf(json: unknown, redact: (text: string) => string): OpenApi['identity'] {
  const { plugin, version } = (json ?? {}) as { plugin?: unknown; version?: unknown }
  return typeof plugin === 'string' && typeof version === 'string'
    ? { name: redact(plugin), version: redact(version) }
    : null
}

/** Whether this is not a plugin: both reads lead to an unknown path, a redirect, an HTML page or binary bytes. */
function isOtherServer(seen: Inspected): seen is Record<'status' | 'list', HttpResponse> {
  return [seen.status, seen.list].every((one) => !(one instanceof NoResponse) && isUnknownTo(one))
}

function isUnknownTo({ status, text }: HttpResponse): boolean {
  const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400)
  return isElsewhere || text.trimStart().startsWith('<') || isBinary(text)
}

function isBinary(text: string): boolean {
  return /[^\P{Cc}\t\n\f\r]|\ufffd/u.test(text)
}

/** The error for an address without a plugin. It names a plugin at a shorter path of the URL. */
async function wrongAddress(url: string, response: HttpResponse, inspectAt: (url: string) => Promise<Inspected>) {
  const message = `No plugin responds at ${url}: ${describe(response)}.`
  for (const parent of parentsOf(url)) {
    const inspected = await inspectAt(parent)
    // A plugin that rejects the key is worth naming too.
    const isPlugin = !(inspected.status instanceof NoResponse) && !isOtherServer(inspected)
    if (isPlugin) return new UnreachableError(message, `Did you mean \`--target ${parent}\`?`)
  }
  return new UnreachableError(
    message,
    'Give the address of the plugin: `--target http://<server>:<API_Port>`. An empty `API_Key` disables the API.',
  )
}

function describe({ status, exchange, headers, text }: HttpResponse): string {
  const path = new URL(exchange.request.url).pathname
  const location = headers.location === undefined ? '' : ` (to ${visibleLine(headers.location)})`
  const page = text.trimStart().startsWith('<') ? ' with an HTML page' : isBinary(text) ? ' with binary bytes' : ''
  return `${exchange.request.method} ${path} returns ${status}${location}${page}`
}

/** The base URLs with a shorter path, longest first. */
function parentsOf(url: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const names = pathname.split('/').filter((name) => name !== '')
  const parents = names.map((_, at) => baseUrlOf([origin, ...names.slice(0, at)].join('/'), '/api'))
  return [...new Set(parents.toReversed())]
}
