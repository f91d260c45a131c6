import type { Rule } from '../../plugin/model/rule.ts'
import type { Parameters } from '../../plugin/store/copy-parameters.ts'
import type { Clock } from '../../server/clock.ts'
import type { Json } from '../../server/response.ts'
import type { ControlledPlatform } from '../controlled-platform.ts'
import { mask } from '../journal/redact.ts'
import type { ServedApis, ServedPlatform } from './route.ts'

/** Parameters as they are shown: the key itself is nobody's business. */
export function shownParameters(parameters: Parameters): Readonly<Record<string, string>> {
  const shown = Object.entries(parameters).map(([name, value = '']) => [
    name,
    name === 'API_Key' && value !== '' ? mask : value,
  ])
  return Object.fromEntries(shown)
}

/** Parameters as they were given back: a key that is still masked is the one that counts now. */
export function givenParameters(given: Parameters, present: Parameters): Parameters {
  const { API_Key: key } = present
  return given.API_Key === mask && key !== undefined ? { ...given, API_Key: key } : given
}

/** The rules with their indices, as the profile counts them. */
export function shownRules({ control }: ServedApis) {
  const base = control.profile['plugin.index.base'] === '1' ? 1 : 0
  return control.rules().map((rule, place) => ({ index: place + base, ...rule }))
}

/** Everything that can be seen at one moment. */
export function shownState(served: ServedApis): Record<string, Json> {
  const { control, url, platform } = served
  return {
    running: control.running(),
    url: url(),
    rules: shownRules(served),
    capacity: control.capacity(),
    licenseActive: control.licenseActive(),
    parameters: shownParameters(control.parameters()),
    profile: { ...control.profile },
    faults: shownFaults(served),
    snapshots: [...control.snapshots()],
    clock: shownClock(control.clock),
    platform: platform && shownPlatform(platform),
  }
}

export function shownFaults({ control }: ServedApis): Json {
  // Faults hold nothing but what came in as JSON, bigints in place of long numerals.
  return control.faults.list() as unknown as Json
}

export function shownClock(clock: Clock): Json {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen() }
}

/** What GET /v1/account tells of, and the trading accounts; none while it is stopped. */
export function shownAccounts({ account, accounts }: ControlledPlatform) {
  return {
    account: { ...account, createdAt: account.createdAt.toISOString() },
    tradingAccounts: accounts.map((one) => ({ ...one })),
  }
}

function shownPlatform(served: ServedPlatform) {
  const { platform } = served
  return { ...lifeOf(served), ...shownAccounts(platform), clock: shownClock(platform.clock) }
}

/** The key alone opens the account where nothing has to be signed: only the list of keys shows it. */
function lifeOf({ platform, url }: ServedPlatform) {
  const keys = platform.keys.present().map(({ apiKey: _apiKey, ...key }) => key)
  return { running: platform.running, url: url(), keys }
}

function pagePlatform(served: ServedPlatform): Json {
  return { ...lifeOf(served), tradingAccounts: served.platform.accounts.length }
}

/** The same number for the same rule, wherever in the list it stands: a page can see it move. */
const identities = new WeakMap<Rule, number>()
let lastIdentity = 0

/** The state as a page needs it: each rule known again, and logins as text, since a browser rounds them. */
export function pageState(served: ServedApis): Json {
  const rules = shownRules(served)
  const shown = served.control.rules().map((rule, place) => ({
    ...rule,
    index: rules[place]?.index ?? place,
    id: identityOf(rule),
    master: String(rule.master),
    follower: String(rule.follower),
  }))
  const { clock: _clock, ...state } = shownState(served)
  return { ...state, rules: shown, platform: served.platform && pagePlatform(served.platform) }
}

function identityOf(rule: Rule): number {
  const known = identities.get(rule) ?? ++lastIdentity
  identities.set(rule, known)
  return known
}
