import { failure } from '../assertions/expect.ts'
import { CannotArrange, FailedExpectation, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { isTimeout } from '../client/failure-reason.ts'
import { ServerReplaced } from '../client/proxied.ts'
import { CannotSend, NoResponse } from '../client/response.ts'
import { ConcurrentEdit, ServerFault } from '../safety/list-change-errors.ts'
import type { Case, ObservedAnswer } from '../session/check.ts'
import { DriverFailed, PortTaken } from '../targets/driver.ts'
import { StepFailed, StepSkipped } from '../targets/live/step.ts'
import { type Finding, passed } from './outcome.ts'
import type { Stopped } from './state.ts'

export type Ended = { readonly returned: ObservedAnswer | null } | { readonly threw: unknown }

/** What plain requests showed after one without a response. `died`: it is silent, and the kit can restart it. */
export type Afterwards = 'answers' | 'died' | 'silent'

export interface Judged {
  readonly finding: Finding
  /** The failed expectation that ended the check or kept it from being judged. */
  readonly cause: FailedExpectation | null
  /** The request that got no response. */
  readonly unanswered: Exchange | null
  /** Why the server can no longer be judged, if the check showed that. */
  readonly stopped: Stopped | null
}

/** Decides what counts against a server. `afterwards` is null if no plain request was sent. */
export function classify(check: Case, ended: Ended, afterwards: Afterwards | null): Judged {
  if ('returned' in ended) {
    const { answer = null, seen = '' } = ended.returned ?? {}
    return judged({ ...passed, answer, message: seen || null })
  }
  const { threw } = ended
  const unanswered = threw instanceof NoResponse ? threw.exchange : null
  const stopped = reasonToStop(threw, afterwards)
  if (stopped !== null) return { ...judged(stoppedFinding(stopped)), unanswered, stopped }
  if (threw instanceof ServerFault) return harmed(check, threw)
  // It counts against the server only if that answers others, or died of the request.
  const silence = afterwards === 'died' ? 'server.died' : 'response.missing'
  const error = threw instanceof NoResponse ? failure(silence, { reason: threw.message, difference: null }) : threw
  const finding = findingOf(error)
  // A failed observation says nothing about whether the server conforms.
  const isOnlyBlocked = finding.status === 'failed' && !('requirement' in check)
  const origin = error instanceof CannotArrange ? error.cause : error
  const cause = origin instanceof FailedExpectation ? origin : null
  return { ...judged(isOnlyBlocked ? { ...finding, status: 'blocked' } : finding), cause, unanswered }
}

export function judged(finding: Finding): Judged {
  return { finding, cause: null, unanswered: null, stopped: null }
}

/** Why nothing more is sent to a server after this error; null if the server can still be judged. */
export function reasonToStop(error: unknown, afterwards: Afterwards | null): Stopped | null {
  if (error instanceof ConcurrentEdit) return { cause: 'interference', reason: error.message }
  if (error instanceof ServerReplaced) return { cause: 'unreachable', reason: error.message }
  if (error instanceof StepFailed) return { cause: 'life-cycle', reason: error.message }
  if (afterwards !== 'silent') return null
  // A server that is gone has not failed because raw bytes got no response.
  if (!(error instanceof NoResponse)) return { cause: 'unreachable', reason: 'the target stopped answering' }
  const { method, url } = error.exchange.request
  const data = { request: `${method} ${url}`, reason: error.message, difference: null }
  const reason = `the target stopped answering: ${error.message}`
  // The network may break connections or prevent them.
  const hung = isTimeout(error) ? { failure: failure('server.stopped-answering', data) } : {}
  return { cause: 'unreachable', reason, ...hung }
}

export function isAbout(check: Case, { requirement }: ServerFault): boolean {
  return 'requirement' in check && check.requirement === requirement
}

/** Harm to foreign rules belongs to its own requirement. It interrupts checks of other requirements. */
export function harmed(check: Case, harm: ServerFault): Judged {
  const { failure: cause, requirement } = harm
  if (isAbout(check, harm)) return { ...judged(findingOf(cause)), cause }
  return judged({ ...passed, status: 'blocked', message: `${cause.message} This counts for ${requirement}.` })
}

/** If the run was stopped because of the server, only the check of that requirement fails. Others are not judged. */
export function stoppedBefore(check: Case, stopped: Stopped): Judged {
  const { cause, failure: reported } = stopped
  if (!check.reportsSilence || reported === undefined) return judged(stoppedFinding(stopped))
  return judged({ ...findingOf(reported), stop: cause })
}

export function stoppedFinding({ cause, reason }: Stopped): Finding {
  return { ...passed, status: 'blocked', message: reason, stop: cause }
}

/** Whether the result may have a cause other than the server. */
export function isOpen({ status, answer }: Finding, check: Case): boolean {
  const isUnanswered = !('requirement' in check) && status === 'passed' && answer === null
  return status === 'failed' || status === 'blocked' || isUnanswered
}

export function findingOf(error: unknown): Finding {
  if (error instanceof FailedExpectation) return { ...passed, status: 'failed', code: error.code, data: error.data }
  if (error instanceof CannotArrange) return { ...passed, status: 'blocked', message: error.message }
  if (error instanceof PortTaken) return { ...passed, status: 'blocked', message: `${error.message}: run again` }
  if (error instanceof OutOfScope || error instanceof StepSkipped || error instanceof CannotSend)
    return { ...passed, status: 'out-of-scope', message: error.message }
  if (error instanceof NotApplicable) return { ...passed, status: 'not-applicable', message: error.message }
  if (!(error instanceof Error)) return { ...passed, status: 'error', message: String(error) }
  // A stack does not help if a command, a container or a hook did not do what it should.
  const isOfUser = error instanceof DriverFailed || error instanceof StepFailed
  return { ...passed, status: 'error', message: (isOfUser ? null : error.stack) ?? error.message }
}
