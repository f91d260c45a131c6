import { plural } from '../../../reports/phrases.ts'
import { failureOf } from '../../../suites/assertions/failure.ts'
import { pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { isObject } from '../../../suites/client/json.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import { type Draft, describeRule } from '../../../suites/model/rule.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { listState } from '../../../suites/safety/list-state.ts'
import { type Risk, risks } from '../../../suites/session/check.ts'
import { isWithin, type LoginRange } from '../../../suites/session/logins.ts'
import { furtherMembers, rulesIn, rulesOrNull } from '../../../suites/session/rules.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'
import { capabilitiesOf } from '../../life-cycle/capabilities.ts'
import { isKeyRejected, keyRemedy } from '../../transport/explain.ts'
import { defineExaminations, examineClock, ok, problem, skipped, tryWithoutKey, warning } from '../examination.ts'
import { examineCertificate, examineHttp, examineName, examinePort } from './reach.ts'
import { type PluginReads, rejectionIn } from './reads.ts'
import { findOtherServer } from './wrong-address.ts'

/** What may be wrong with a plugin, from its address up to what a run can judge. */
export const pluginExaminations = defineExaminations<PluginReads>(conclude, [
  { name: 'name', forbids: 'everything', examine: examineName },
  { name: 'port', after: 'name', forbids: 'everything', examine: examinePort },
  { name: 'certificate', after: 'port', forbids: 'everything', examine: examineCertificate },
  { name: 'http', after: 'certificate', forbids: 'everything', begins: true, examine: examineHttp },
  { name: 'plugin', after: 'http', forbids: 'everything', begins: true, examine: examineIdentity },
  { name: 'key', after: 'plugin', forbids: 'everything', begins: true, examine: examineKey },
  { name: 'key headers', after: 'key', forbids: 'writing', examine: examineHeaders },
  { name: 'wrong key', after: 'plugin', forbids: 'nothing', examine: examineWrongKey },
  { name: 'list', after: 'key', forbids: 'writing', examine: examineList },
  { name: 'capacity', after: 'list', forbids: 'nothing', examine: examineCapacity },
  { name: 'clock', after: 'http', forbids: 'nothing', examine: ({ status }) => examineClock(status) },
  { name: 'logins', after: 'list', forbids: 'writing', begins: true, examine: examineLogins },
  { name: 'checks', after: 'key', forbids: 'nothing', examine: examineChecks },
])

function conclude(risk: Risk | null): string {
  if (risk === null) return 'Not ready: the target cannot be judged.'
  if (risk === 'read') return 'Ready for `--risk read`. Writing is unsafe until the problem above is fixed.'
  return 'Ready for any `--risk`.'
}

/** Sends only GET. @throws {UnreachableError} or {UsageError} if a run cannot begin */
export async function inspectPlugin(reads: PluginReads) {
  await pluginExaminations.require(reads)
  const { status, list, as } = await reads.seen()
  const identity = status instanceof NoResponse ? null : identityIn(status.json)
  const rules = list instanceof NoResponse ? null : rulesOrNull(list)
  return {
    identity: identity && { name: reads.redact(identity.name), version: reads.redact(identity.version) },
    /** Null if the list cannot be read. Nothing may be written then. */
    list: rules && listState(rules),
    /** Names of members that the kit cannot restore once a rule has been removed. */
    further: list instanceof NoResponse || rules === null ? [] : furtherMembers(list).map(reads.redact),
    /** The header in which the key is accepted, if not `X-API-Key`. */
    keyAs: as === 'bearer' ? as : undefined,
  }
}

function identityIn(json: unknown) {
  const { plugin: name, version } = (json ?? {}) as { plugin?: unknown; version?: unknown }
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null
}

async function examineIdentity(reads: PluginReads) {
  const { status, hasKey } = reads
  const other = await findOtherServer(reads)
  if (other !== null) return other
  const answer = await status()
  if (isKeyRejected(answer.status)) {
    return skipped(`unknown: ${hasKey ? `the key is rejected with ${answer.status}` : 'no key was given'}`)
  }
  if (answer.status !== 200 || !isObject(answer.json)) {
    return problem(
      `GET /api/status returns ${answer.status}${answer.status === 200 ? ', but not a JSON object' : ''}`,
      'Check the address, the port and the path before /api: another server may respond there.',
    )
  }
  const identity = identityIn(answer.json)
  if (identity === null) {
    return warning(
      'GET /api/status has no plugin name or version',
      'Check that it is the plugin. A run judges the response.',
    )
  }
  const name = `${identity.name} ${identity.version}`
  if (answer.json.license_active !== false) return ok(name)
  return warning(
    `${name}, without an active licence`,
    'Activate the licence. Without it the plugin may reject valid requests.',
  )
}

async function examineKey({ url, isOwn, seen, status, hasKey, keySource }: PluginReads) {
  if (!hasKey) return problem('no key was given', keyRemedy)
  const rejection = rejectionIn(await seen())
  if (rejection === null) {
    const answer = await status()
    if (!isKeyRejected(answer.status)) return ok('the key is accepted')
    return warning(
      `GET /api/status rejects the key with ${answer.status}, GET /api/rules does not`,
      'A run judges this.',
    )
  }
  const value = `\`${keySource}\` must give the value of the plugin parameter \`API_Key\`.`
  const isOfPlatform = isObject(rejection.json) && typeof rejection.json.error === 'object'
  const remedy = isOfPlatform ? `If this is a platform API, give its address with \`--platform-url\`. ${value}` : value
  return problem(`${url} rejects the key with ${rejection.status}`, isOwn ? ownKeyRemedy : remedy, UnreachableError)
}

const ownKeyRemedy =
  'The server must accept the key in the member `API_Key` of the JSON file that the environment variable `TCK_PARAMETERS` names.'

const headers = { 'x-api-key': '`X-API-Key`', bearer: '`Authorization: Bearer`' } as const

/** Checks that the target accepts the key in both headers. A run removes its rules with the key in X-API-Key. */
async function examineHeaders(reads: PluginReads) {
  const own = await reads.own.status()
  const bearer = await reads.bearer.status()
  if (!isKeyRejected(own.status) && !isKeyRejected(bearer.status)) {
    return ok(`the key is accepted in ${headers['x-api-key']} and in ${headers.bearer}`)
  }
  const [works, fails, { status }] = isKeyRejected(own.status)
    ? (['bearer', 'x-api-key', own] as const)
    : (['x-api-key', 'bearer', bearer] as const)
  const rate = works === 'bearer' ? problem : warning
  return rate(
    `the key is accepted in ${headers[works]}, and rejected with ${status} in ${headers[fails]}`,
    'Fix the server: both headers must work. A run uses the one that works and judges the other.',
  )
}

async function examineWrongKey({ statusWith }: PluginReads) {
  const { wrong, none, accepted } = await tryWithoutKey((key) => statusWith({ key }))
  if (accepted !== '') {
    return problem(
      `${accepted} is accepted: every client that reaches the port can read, and perhaps change, the rules`,
      'Block the port for other clients until the plugin is fixed.',
    )
  }
  if (wrong === 401 && none === 401) return ok('a wrong key and a missing key are rejected with 401')
  return warning(
    `a wrong key returns ${wrong} and a missing key ${none}; both should return 401`,
    'A run judges this. A proxy in front of the plugin may be the cause.',
  )
}

async function examineList({ list }: PluginReads) {
  const answer = await list()
  const failed = failureOf(() => rulesIn(answer))
  if (failed !== null) {
    return problem(
      `GET /api/rules has an unexpected response: ${failed.message}`,
      'Use `--risk read`: without the list the kit cannot remove its rules.',
    )
  }
  const { length } = rulesIn(answer)
  const { total } = answer.json as { total?: unknown }
  if (total === length) return ok(`${plural(length, 'rule')}, and total agrees`)
  return warning(
    `${plural(length, 'rule')}, but total is ${String(total ?? 'missing')}`,
    'A run judges this. Check that no proxy truncates the list.',
  )
}

async function examineCapacity({ list, capacity }: PluginReads) {
  if (capacity === null) {
    return skipped(
      'unknown: GET does not show it',
      'Give `--capacity <n>` to judge it exactly. Otherwise `--risk exclusive` adds rules until one is rejected.',
    )
  }
  const { length } = rulesIn(await list())
  const free = capacity - length
  const used = `${length} of ${capacity} rules used`
  if (free > 0) return ok(`${used}; --risk exclusive adds ${free + 1}, which --max-fill must allow`)
  return free === 0
    ? warning(`${used}: the list is full`, 'Remove rules. Checks that add a rule are not judged on a full list.')
    : warning(`${used}: more than the capacity`, 'Give the correct `--capacity <n>`.')
}

async function examineLogins({ risk, isOwn, list, logins }: PluginReads) {
  const rules = rulesOrNull(await list())
  if (rules === null) return skipped('the list cannot be read')
  const range = `${logins.from}-${logins.to}`
  const foreign = rules.filter((rule) => isWithin(logins, rule))
  const [first] = foreign
  if (first === undefined) return ok(`no rule uses a login in ${range}`)
  const free = nearestFreeRange(logins, rules)
  return problem(
    `The list has ${plural(foreign.length, 'rule')} with a login of the kit's range ${range}; the first is ${describeRule(first)}`,
    free === null
      ? 'Give an unused range with `--logins <from-to>`.'
      : `Give \`--logins ${free.from}-${free.to}\` if no account uses them. After an interrupted run, use \`copytrade-tck restore\`.`,
    risk === 'read' || isOwn ? undefined : UsageError,
  )
}

function examineChecks({ capacity, lifeCycle }: PluginReads) {
  const checks = [...pluginChecks, ...pluginObservations]
  const driven = lifeCycle === null ? [] : capabilitiesOf(lifeCycle).capabilities
  const capabilities = [...driven, ...(capacity === null ? [] : (['stated-capacity'] as const))]
  const counts = risks.map((risk) => {
    const planned = plan({ checks, risk, capabilities, shared: lifeCycle !== null, only: [], skip: [] })
    return `${risk} ${planned.filter(({ outOfScope }) => outOfScope === null).length}`
  })
  const others = driven.includes('launch')
    ? 'a server that the kit starts (`--exec`)'
    : 'hooks, `--manual`, or a server that the kit starts (`--exec`)'
  return ok(
    `of ${checks.length} checks, --risk selects: ${counts.join(', ')}`,
    `The others require ${capacity === null ? '`--capacity`, or ' : ''}${others}.`,
  )
}

/** The nearest range of the same size without a login of these rules, up to `highest`; null if there is none. */
export function nearestFreeRange({ from, to }: LoginRange, rules: readonly Draft[], highest = 2 ** 31 - 1) {
  const size = to - from + 1
  const logins = rules.flatMap(({ master, follower }) => [master, follower])
  const used = logins.filter((login): login is number => Number.isSafeInteger(login))
  // A free range that is not the wanted one is next to a login in use, or at the end.
  const ranges = [from, highest - size + 1, ...used.flatMap((login) => [login - size, login + 1])]
    .toSorted((one, other) => Math.abs(one - from) - Math.abs(other - from))
    .map((start) => ({ from: start, to: start + size - 1 }))
  const isFree = (range: LoginRange) => !rules.some((rule) => isWithin(range, rule))
  return ranges.find((range) => range.from >= 1 && range.to <= highest && isFree(range)) ?? null
}
