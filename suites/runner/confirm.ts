import { isDeepStrictEqual } from 'node:util'
import type { FailureCode } from '../assertions/failure-texts.ts'
import { type Finding, passed } from './outcome.ts'

/** The requests that ended with a broken connection, or whose response may be of a gateway. */
export interface Broken {
  /** Their positions among all requests, counted from 1. */
  readonly places: readonly number[]
  /** Whether a response to one of them was due but did not arrive in time. */
  readonly isLate: boolean
  /** Whether all are of a kind that is known to hang, which a network does not cause. */
  readonly isKnownHang: boolean
  /** Whether one was a change on a reused connection, which a server may close at any time (RFC 9112, 9.5). */
  readonly isReused: boolean
  /** The positions of responses with a status of a gateway, counted without reads of the list. */
  readonly ofGateway: readonly number[]
}

export const noneBroken: Broken = { places: [], isLate: false, isKnownHang: false, isReused: false, ofGateway: [] }

/** The result of one attempt of a check, and which of its requests ended with a broken connection. */
export interface Attempt {
  readonly finding: Finding
  readonly breaks: Broken
  readonly cause: { readonly code: FailureCode } | null
}

/** Why a failure may have a cause other than the server, and how often it is repeated. */
interface Doubt {
  readonly repetitions: number
  readonly isSame: (one: Attempt, other: Attempt) => boolean
  readonly message: string
}

/** If connections break at random, the same one may break a few times in a row. */
const repetitionsInBadNetwork = 12

const network: Doubt = {
  repetitions: 3,
  isSame: (one, other) =>
    isSameFailure(one, other) &&
    isDeepStrictEqual(other.finding.data?.difference, one.finding.data?.difference) &&
    other.breaks.places.join() === one.breaks.places.join(),
  message: 'a connection broke, and not in the same way when the check was repeated: the network may be to blame',
}

const gateway: Doubt = {
  repetitions: network.repetitions,
  isSame: (one, other) =>
    isSameFailure(one, other) &&
    other.breaks.ofGateway.join() === one.breaks.ofGateway.join() &&
    ['difference', 'after'].every((name) => isDeepStrictEqual(other.finding.data?.[name], one.finding.data?.[name])),
  message:
    'a response had a status of a gateway, and the check did not fail in the same way when it was repeated: a proxy in front of the server may be to blame',
}

/** For a server that the kit started, since the machine may have been busy. */
const slowness: Doubt = {
  repetitions: 1,
  isSame: isSameFailure,
  message: 'a request got no response in time, but not when the check was repeated',
}

const otherClient: Doubt = {
  repetitions: 2,
  isSame: isSameFailure,
  message:
    'the check failed, and not in the same way when it was repeated: another client may have removed rules of the kit',
}

/** Failures that another client can cause by adding rules or removing rules of the kit. */
const changedByOthers = [
  ...['list.', 'sequence.', 'concurrency.', 'capacity.', 'start.', 'responses.', 'status.rules-loaded-', 'add.index-'],
  ...['rule.missing', 'rule.repeated', 'rule.listed-after-delete', 'response.not-success'],
  ...['response.status-not-200', 'response.status-not-201', 'response.status-not-500'],
]

interface ConfirmOptions {
  /** Whether the check changes a list that other clients can change too. */
  readonly shared: boolean
  /** Whether the kit started the server. */
  readonly owned?: boolean
  /** Whether connections broke in an earlier check but not when it was repeated. */
  readonly badNetwork?: boolean
}

/**
 * Repeats a check whose failure may not be the fault of the server. The network may break connections to a foreign
 * server, and other clients may change its list. Such a failure counts only if it happens each time; otherwise the
 * check could not be judged. A server that the kit started is on this machine, so it can only be slow. `isSure` says
 * whether only the server can be the reason.
 */
export async function confirm<Any extends Attempt>(
  first: Any,
  again: () => Promise<Any>,
  { shared, owned = false, badNetwork = false }: ConfirmOptions,
): Promise<Any & { readonly isSure: boolean }> {
  const { finding } = first
  const doubt = doubtAbout(first, shared, owned)
  if (doubt === null) return { ...first, isSure: true }
  const repetitions = doubt === network && badNetwork ? repetitionsInBadNetwork : doubt.repetitions
  for (let time = 0; time < repetitions; time += 1) {
    const next = await again()
    const hasEnded = next.finding.stop !== null || next.finding.status === 'error'
    if (hasEnded) return { ...first, finding: next.finding, isSure: false }
    // A failure without a late response is independent of the load of the machine.
    if (doubt === slowness && next.finding.status === 'failed' && !next.breaks.isLate) return { ...next, isSure: true }
    if (!doubt.isSame(first, next)) {
      const message = `${doubt.message}: ${finding.actual ?? finding.message}`
      const blocked: Finding = { ...passed, status: 'blocked', message }
      return { ...first, finding: finding.status === 'failed' ? blocked : finding, isSure: false }
    }
  }
  return { ...first, isSure: true }
}

function doubtAbout({ finding, breaks, cause }: Attempt, shared: boolean, owned: boolean): Doubt | null {
  if (owned) return breaks.isLate && (finding.status === 'failed' || cause !== null) ? slowness : null
  if (finding.status === 'failed' && breaks.places.length > 0 && !breaks.isKnownHang) return network
  const isUnsettled = finding.status === 'failed' || (finding.status === 'blocked' && finding.stop === null)
  if (isUnsettled && breaks.ofGateway.length > 0) return gateway
  return shared && cause !== null && changedByOthers.some((start) => cause.code.startsWith(start)) ? otherClient : null
}

function isSameFailure(one: Attempt, other: Attempt): boolean {
  return other.finding.status === one.finding.status && other.cause?.code === one.cause?.code
}
