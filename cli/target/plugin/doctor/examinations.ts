import { plural } from '../../../../reports/phrases.ts'
import { failureOf } from '../../../../suites/assertions/failure.ts'
import { pluginChecks, pluginObservations } from '../../../../suites/checks/plugin/all.ts'
import { createClient } from '../../../../suites/client/client.ts'
import { endpointOf } from '../../../../suites/client/connect.ts'
import { isObject } from '../../../../suites/client/json.ts'
import { type Draft, describeRule } from '../../../../suites/model/rule.ts'
import { plan } from '../../../../suites/runner/plan.ts'
import { risks } from '../../../../suites/session/check.ts'
import { isWithin, type LoginRange } from '../../../../suites/session/logins.ts'
import { createPlugin, type RequestOverrides } from '../../../../suites/session/plugin.ts'
import { rulesIn } from '../../../../suites/session/rules.ts'
import { capabilitiesOf } from '../../../life-cycle/capabilities.ts'
import type { TargetChoice } from '../../../options/run-options.ts'
import { isKeyRejected, keyRemedy } from '../../../transport/explain.ts'
import type { ExaminationOptions } from '../../api.ts'
import { examineAll, examineClock, ok, once, problem, skipped, tryWithoutKey, warning } from '../../examination.ts'
import { examineCertificate, examineHttp, examineName, examinePort } from './reach.ts'

/** Examines the plugin from its address up to what a run can judge. */
export async function examinePlugin(chosen: RunningPlugin, terms: ExaminationOptions) {
  const context = createPluginDoctorContext(chosen, terms)
  const found = await examineAll(context, terms.shared.redact, [
    { name: 'name', needs: [], forbids: 'everything', examine: examineName },
    { name: 'port', needs: ['name'], forbids: 'everything', examine: examinePort },
    { name: 'certificate', needs: ['port'], forbids: 'everything', examine: examineCertificate },
    { name: 'http', needs: ['certificate'], forbids: 'everything', examine: examineHttp },
    { name: 'plugin', needs: ['http'], forbids: 'everything', examine: examineIdentity },
    { name: 'key', needs: ['plugin'], forbids: 'everything', examine: examineKey },
    { name: 'key headers', needs: ['key'], forbids: 'writing', examine: examineHeaders },
    { name: 'wrong key', needs: ['plugin'], forbids: 'nothing', examine: examineWrongKey },
    { name: 'list', needs: ['key'], forbids: 'writing', examine: examineList },
    { name: 'capacity', needs: ['list'], forbids: 'nothing', examine: examineCapacity },
    { name: 'clock', needs: ['http'], forbids: 'nothing', examine: ({ status }) => examineClock(status) },
    { name: 'logins', needs: ['list'], forbids: 'writing', examine: examineLogins },
    { name: 'checks', needs: ['key'], forbids: 'nothing', examine: examineChecks },
  ])
  const conclusions = {
    none: 'Not ready: the target cannot be judged.',
    read: 'Ready for `--risk read`. Writing is unsafe until the problem above is fixed.',
    any: 'Ready for any `--risk`.',
  }
  return { url: chosen.url, ...found, conclusions }
}

async function examineIdentity({ status, keySource }: PluginDoctorContext) {
  const answer = await status()
  if (isKeyRejected(answer.status)) {
    return skipped(`unknown: ${keySource === null ? 'no key was given' : `the key is rejected with ${answer.status}`}`)
  }
  if (answer.status !== 200 || !isObject(answer.json)) {
    return problem(
      `GET /api/status returns ${answer.status}${answer.status === 200 ? ', but not a JSON object' : ''}`,
      'Check the address, the port and the path before /api: another server may respond there.',
    )
  }
  const { plugin, version, license_active: licensed } = answer.json
  if (typeof plugin !== 'string' || typeof version !== 'string') {
    return warning(
      'GET /api/status has no plugin name or version',
      'Check that it is the plugin. A run judges the response.',
    )
  }
  const name = `${plugin} ${version}`
  if (licensed !== false) return ok(name)
  return warning(
    `${name}, without an active licence`,
    'Activate the licence. Without it the plugin may reject valid requests.',
  )
}

async function examineKey({ status, keySource }: PluginDoctorContext) {
  if (keySource === null) return problem('no key was given', keyRemedy)
  const answer = await status()
  if (!isKeyRejected(answer.status)) return ok('the key is accepted')
  return problem(`the key of \`${keySource}\` is rejected with ${answer.status}`, keyRemedy)
}

const headers = { 'x-api-key': '`X-API-Key`', bearer: '`Authorization: Bearer`' } as const

/** Checks that the target accepts the key in both headers. A run removes its rules with the key in X-API-Key. */
async function examineHeaders({ statusIn }: PluginDoctorContext) {
  const own = await statusIn('x-api-key')
  const bearer = await statusIn('bearer')
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

async function examineWrongKey({ statusWith }: PluginDoctorContext) {
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

async function examineList({ list }: PluginDoctorContext) {
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

async function examineCapacity({ list, capacity }: PluginDoctorContext) {
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

async function examineLogins({ list, logins }: PluginDoctorContext) {
  const rules = rulesIn(await list())
  const range = `${logins.from}-${logins.to}`
  const foreign = rules.filter((rule) => isWithin(logins, rule))
  const [first] = foreign
  if (first === undefined) return ok(`no rule uses a login in ${range}`)
  const free = nearestFreeRange(logins, rules)
  return problem(
    `${plural(foreign.length, 'rule')} with a login in ${range}; the first is ${describeRule(first)}`,
    free === null
      ? 'Give an unused range with `--logins <from-to>`.'
      : `Give \`--logins ${free.from}-${free.to}\` if no account uses them. After an interrupted run, use \`copytrade-tck restore\`.`,
  )
}

function examineChecks({ capacity, lifeCycle }: PluginDoctorContext) {
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

export type RunningPlugin = Extract<TargetChoice, { kind: 'url' }>

type KeyHeader = NonNullable<RequestOverrides['as']>

/** What an examination can read from the target. It cannot change the target. */
export type PluginDoctorContext = ReturnType<typeof createPluginDoctorContext>

export function createPluginDoctorContext(chosen: RunningPlugin, { options, shared, hasKey }: ExaminationOptions) {
  const { url, transport, keySource } = chosen
  const { timeoutMs, logins, capacity, lifeCycle } = options
  const key = hasKey ? chosen.key : null
  const plugin = createPlugin(createClient({ ...shared, baseUrl: url, transport, timeoutMs }), chosen.key)
  const withKey = (as: KeyHeader): RequestOverrides => (key === null ? { key } : { as })
  const inHeader = {
    'x-api-key': once(() => plugin.status(withKey('x-api-key'))),
    bearer: once(() => plugin.status(withKey('bearer'))),
  }
  const accepted = async (): Promise<KeyHeader> => {
    if (key === null || !isKeyRejected((await inHeader['x-api-key']()).status)) return 'x-api-key'
    return isKeyRejected((await inHeader.bearer()).status) ? 'x-api-key' : 'bearer'
  }
  return {
    // Examinations must not see the key itself.
    ...{ url, transport, timeoutMs, logins, capacity, lifeCycle },
    ...endpointOf(url),
    /** The option or variable that holds the key; null if no key was given. */
    keySource: key === null ? null : keySource,
    /** GET /api/status with the key in this header, sent once and cached. */
    statusIn: (header: KeyHeader) => inHeader[header](),
    /** The same in the accepted header; without a key if none was given. */
    status: async () => inHeader[await accepted()](),
    /** GET /api/rules with the key, sent once and cached. */
    list: once(async () => plugin.list(withKey(await accepted()))),
    /** GET /api/status with another key or none. */
    statusWith: (overrides: RequestOverrides) => plugin.status(overrides),
  }
}
