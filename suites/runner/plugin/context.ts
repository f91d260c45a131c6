import type { Draft, Rule } from '../../model/rule.ts'
import type { Session, SharedExchange } from '../../session/session.ts'
import type { Driver } from '../../targets/driver.ts'
import type { ServerUnderTest } from '../server-under-test.ts'
import type { Access, Connections } from './connections.ts'
import type { createResponseJudge } from './every-response.ts'
import type { PluginSettings } from './settings.ts'

/** What the checks of a plugin share. */
export interface PluginContext
  extends ServerUnderTest<Session>,
    Pick<Connections, 'access' | 'closeIdle'>,
    Pick<ReturnType<typeof createResponseJudge>, 'setDisabled'> {
  readonly settings: PluginSettings
  readonly driver: Driver | null
  readonly draft: (changes?: Partial<Draft>) => Draft
  readonly main: Access
  /** The list before the first change; null until it is needed. */
  before: readonly Rule[] | null
  /** Rules that keep the list full from one check to the next. */
  readonly filler: Draft[]
  /** Why no more rules are added to a foreign server; null while they may be. */
  closed: Error | null
  /** The number of rules with which a server that the kit started was full; null if none was. */
  seenCapacity: number | null
  readonly longestList: { readonly length: number }
  /** Whether the current check filled a list on purpose. */
  filled: boolean
  /** Whether rules load from `Copy_N` in the public syntax; null until it is tried. */
  readsPublicCopySyntax: boolean | null
  /** A key that no server has had before. No output shows it. */
  newKey(): string
  /** What checks of a foreign server share, by name. */
  readonly known: Map<string, readonly SharedExchange[]>
  /** Whether a server that the kit started crashed and must be restarted. */
  dead: boolean
  /** Access to a server that a check starts and stops. `isShared`: foreign rules may be in its list. */
  launchedAccess(url: string, key: string, isShared: boolean): Access
  /** Whether the kit wrote a rule. On a server of its own: a rule with its logins that was not there before. */
  isOwn(rule: Rule): boolean
  /** Must be called when the server was restarted: its list may have changed. */
  restarted(): void
  /** Whether a foreign server is leased to the kit with other parameters or without its rules. */
  leased: boolean
}
