import type { IncomingHttpHeaders } from 'node:http'
import { observing } from '../../defect-parts/combine.ts'
import { type MutationOf, mutationsOf } from '../../defect-parts/mutations.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import type { SignedParts } from '../keys/signature.ts'
import type { TradingAccount } from '../model/trading-account.ts'

/** The state before the first request. */
const nothing = {
  /** The trading account that was created last. */
  newest: undefined as TradingAccount | undefined,
  /** The secret that was hashed last. */
  secret: '',
  /** How many times the account was returned. */
  reads: 0,
  /** The key and the parts of the last signature that was made. */
  key: new Uint8Array() as Uint8Array,
  /** The target of the last signed request, with its query. */
  target: '',
  /** The timestamp of the last correct signature. */
  verified: '',
  /** The balance that was read last. */
  balance: 0,
  /** The current request. */
  received: undefined as ReceivedRequest | undefined,
  parts: { timestamp: '', method: '', path: '', body: new Uint8Array() } as SignedParts,
}

/** What a server with a defect has seen so far, one for each simulator. A hook is counted once it has returned. */
export type Known = Readonly<typeof nothing>

export type Mutation = MutationOf<PlatformHooks, Known>

/** The correct hooks, and what the server has seen so far. */
export type Right = PlatformHooks & { readonly known: Known }

/** Wraps some hooks to observe them, without changing what they do. */
export function observe(hooks: PlatformHooks) {
  const known: Known = { ...nothing }
  const seeing = observing(hooks, known, {
    addAccount: (_added, _accounts, newest) => ({ newest }),
    hashSecret: (_, secret) => ({ secret }),
    sign: (_, key, parts) => ({ key, parts }),
    asksForKey: (_, received) => ({ received }),
    signedPath: (_, target) => ({ target }),
    sameSignature: (isSame) => (isSame ? { verified: known.parts.timestamp } : {}),
    readBalance: (balance) => ({ balance }),
    accountBody: () => ({ reads: known.reads + 1 }),
  })
  return { seeing, known }
}

/** Mutations of any hook. */
export const { instead, result, argument, members, responds, on } = mutationsOf<PlatformHooks, Known>()

export function isWithoutKey({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers.authorization === undefined
}

/** A server that needs no key in these requests. */
export function needsNoKey(isMeant: (received: ReceivedRequest) => boolean): Mutation {
  return instead('asksForKey', ({ asksForKey }, received) => asksForKey(received) && !isMeant(received))
}

/** A server with other members of the account. What is known does not count the present response. */
export const returnsAccount = members('accountBody')

/** A server with other members of each listed account. */
export const listsAccount = members('listedBody')
