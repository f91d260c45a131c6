import type { PlatformSimulator } from '../../platform/index.ts'
import type { Rule } from '../../plugin/model/rule.ts'
import type { Parameters } from '../../plugin/store/copy-parameters.ts'
import type { Clock } from '../../server/clock.ts'
import type { Json } from '../../server/response.ts'
import type { Control } from '../control.ts'
import { mask } from '../journal/redact.ts'

export interface ServedApis {
  readonly control: Control
  /** The URL of the plugin API; null while no port is open. */
  readonly url: () => string | null
  /** Null if no platform is served next to the plugin. */
  readonly platform: { readonly platform: PlatformSimulator; readonly url: () => string | null } | null
}

/** The parameters for display, with the key masked. */
export function shownParameters(parameters: Parameters): Parameters {
  return parameters.API_Key ? { ...parameters, API_Key: mask } : parameters
}

/** Parameters as a client sends them back: a key that is still masked stays unchanged. */
export function givenParameters(sent: Parameters, present: Parameters): Parameters {
  const { API_Key: key } = present
  return sent.API_Key === mask && key !== undefined ? { ...sent, API_Key: key } : sent
}

export function shownRules(control: Control) {
  return control.rules().map((rule, position) => ({ index: position + indexBase(control), ...rule }))
}

const indexBase = ({ profile }: Control) => (profile['plugin.index.base'] === '1' ? 1 : 0)

export function shownState(served: ServedApis): Record<string, Json> {
  const { control, url, platform } = served
  return {
    running: control.running(),
    url: url(),
    rules: shownRules(control),
    capacity: control.capacity(),
    licenseActive: control.licenseActive(),
    parameters: shownParameters(control.parameters()),
    profile: { ...control.profile },
    // Faults hold only JSON values, and bigints for large numbers.
    faults: control.faults.list() as unknown as Json,
    snapshots: [...control.snapshots()],
    clock: shownClock(control.clock),
    platform: platform && {
      ...runtimeOf(platform),
      ...shownAccounts(platform.platform),
      clock: shownClock(platform.platform.clock),
    },
  }
}

export function shownClock(clock: Clock): Json {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen() }
}

/** The account of GET /v1/account and the trading accounts; empty while the platform is stopped. */
export function shownAccounts({ account, accounts }: PlatformSimulator) {
  return {
    account: { ...account, createdAt: account.createdAt.toISOString() },
    tradingAccounts: accounts.map((account) => ({ ...account })),
  }
}

/** API keys are left out: without signing, a key alone gives access to the account. */
function runtimeOf({ platform, url }: NonNullable<ServedApis['platform']>) {
  const keys = platform.keys.present().map(({ apiKey: _apiKey, ...key }) => key)
  return { running: platform.running, url: url(), keys }
}

/** Each rule has a number that does not change when its index shifts, so that the page can animate the move. */
const identities = new WeakMap<Rule, number>()
let lastIdentity = 0

/** The state for the live page: rules with an identity, and logins as strings, since browsers round large numbers. */
export function pageState(served: ServedApis): Json {
  const { control, platform } = served
  const rules = control.rules().map((rule, position) => ({
    ...rule,
    index: position + indexBase(control),
    id: identityOf(rule),
    master: String(rule.master),
    follower: String(rule.follower),
  }))
  const { clock: _clock, ...state } = shownState(served)
  const tradingAccounts = platform?.platform.accounts.length ?? 0
  return { ...state, rules, platform: platform && { ...runtimeOf(platform), tradingAccounts } }
}

function identityOf(rule: Rule): number {
  const known = identities.get(rule) ?? ++lastIdentity
  identities.set(rule, known)
  return known
}
