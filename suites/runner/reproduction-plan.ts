import type { FailureStep } from '../assertions/failure.ts'
import { type Exchange, isRead } from '../client/exchange.ts'
import { type Logins, loginsOf } from '../model/rule.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { type Failure, isCut, sequenceFailure, shellVerdict } from './shell-verdict.ts'

export interface FailedSteps extends Failure {
  readonly steps: readonly FailureStep[]
  /** The number of requests that are not among the steps. */
  readonly omitted: number
  readonly failing: Exchange | undefined
}

/** What a reproduction depends on besides the requests. */
export interface ReproductionOptions
  extends Pick<ServerUnderTest, 'keyVariable' | 'listPath' | 'rulesBefore' | 'owned'> {
  /** The options that run the check again. */
  readonly rerun: string
}

/** Notes among the steps. */
export const otherParameters = 'Choose other parameters.'
export const startNote = 'Start the server.'

/** Why a check that judges every response of a run may not fail alone. */
export const earlierCheck = 'an earlier check sent the request'

/** The plan of a script; a string says why no script can show the failure. */
export function planOf(
  before: readonly FailureStep[],
  failing: Exchange,
  failed: FailedSteps,
  options: ReproductionOptions,
) {
  const base = baseOf(failing)
  const place = before.findIndex((step) => isExchange(step) && baseOf(step) === base)
  const from = place < 0 ? before.length : place
  const started = before.slice(before.slice(0, from).findLastIndex(isExchange) + 1, from)
  const reason = obstacle(started, before.slice(from), failing, failed)
  if (reason !== null) return reason
  const verdict = shellVerdict(failed, failing)
  if (verdict === null) return 'a shell cannot judge the response'

  const requests = before.slice(from).filter(isExchange)
  const firstChange = requests.findIndex(mayHaveChanged)
  // The deciding change and later requests belong to the failure. Earlier ones lead to it.
  const decidingChange = isRead(failing.request.method) ? requests.findLastIndex(mayHaveChanged) : requests.length
  const lists = (exchanges: readonly Exchange[]) => exchanges.filter((one) => listIn(one, options) !== null)
  const needsList =
    firstChange >= 0 || (options.listPath !== null && (!isRead(failing.request.method) || verdict.needsList))
  const readable =
    firstChange >= 0 ? requests.slice(0, firstChange) : verdict.needsList ? [...requests, failing] : requests
  const [list] = lists(readable)
  const found = list ? listIn(list, options) : printed(started.includes(startNote) ? [] : options.rulesBefore(base))
  if (needsList && found === null) return 'the state before it is not known'
  const start = needsList ? found : null
  const boundary = lists(requests.slice(0, failed.code === sequenceFailure ? 0 : Math.max(decidingChange, 0))).at(-1)
  const between = start !== null && boundary ? listIn(boundary, options) : start
  const split = between === start || boundary === undefined ? 0 : requests.indexOf(boundary) + 1
  return {
    base,
    verdict,
    /** The step that reads the list first; undefined if no step does. */
    list,
    /** The list at the start, as `listFilter` prints it; null for any. */
    start,
    /** The list before the deciding steps. */
    between,
    /** The requests from the start to the deciding steps. */
    first: requests.slice(0, split),
    /** The requests that lead to the failing one, which has the wrong response. */
    deciding: requests.slice(split),
    failing,
    /** How many of the deciding steps must get the same responses. The statuses of the others are part of the failure. */
    checked: (decidingChange < 0 ? requests.length : decidingChange) - split,
  }
}

/** What a script sends and expects. */
export type ScriptPlan = Exclude<ReturnType<typeof planOf>, string>

/** Why sequential requests alone do not show the failure; null if they may. */
function obstacle(
  started: readonly FailureStep[],
  own: readonly FailureStep[],
  failing: Exchange,
  { steps, omitted }: FailedSteps,
) {
  const requests = [...own.filter(isExchange), failing]
  const base = baseOf(failing)
  if (!steps.some((step) => isExchange(step) && step.id === failing.id)) return earlierCheck
  if (started.includes(otherParameters)) return 'the server is started with other parameters'
  if (own.some((step) => typeof step === 'string')) return 'the server is stopped, started or changed between requests'
  if (omitted > 0) return `${omitted} more requests were sent than are recorded`
  if (requests.some(({ request }) => request.method === 'RAW')) return 'it takes bytes that curl cannot send'
  if (requests.some((one) => baseOf(one) !== base)) return 'several servers take part'
  if (requests.some((one, at) => overlap(requests[at - 1], one))) return 'the requests overlap'
  if (requests.some(isSigned)) return 'a request is signed, and a signature does not stay valid'
  const isUnsendable = (body: string | null) => isCut(body) || /[\0\ufffd]/.test(body ?? '')
  return requests.some(({ request }) => isUnsendable(request.body)) ? 'a body is too long or is not text' : null
}

/** A successfully read list as `listFilter` prints it; null for any other exchange. */
function listIn({ request, response }: Exchange, { listPath }: ReproductionOptions): string | null {
  const isList = listPath !== null && request.method === 'GET' && request.url.endsWith(listPath)
  if (!isList || response?.status !== 200 || isCut(response.body)) return null
  const parts = (response.body ?? '').replace(/\s/g, '').split(/[,{}]/)
  const logins = parts.flatMap((part) => {
    const [, name, login] = /^"(master|follower)":(.*)$/.exec(part) ?? []
    return name === undefined ? [] : `${name === 'master' ? ' ' : '>'}${login}`
  })
  return `${logins.join('')} = 200`
}

function printed(rules: readonly Logins[] | null): string | null {
  return rules && `${rules.map((rule) => ` ${loginsOf(rule)}`).join('')} = 200`
}

/** None if the request is not among the steps. */
export function stepsBefore({ id }: Exchange, steps: readonly FailureStep[]): readonly FailureStep[] {
  const at = steps.findIndex((step) => isExchange(step) && step.id === id)
  return steps.slice(0, Math.max(at, 0))
}

function baseOf({ request: { url } }: Exchange): string {
  return /^(.*?)\/(?:api|v1)\//.exec(url)?.[1] ?? new URL(url).origin
}

export function isExchange(step: FailureStep): step is Exchange {
  return typeof step === 'object'
}

export function isSigned({ request: { headers } }: Exchange): boolean {
  return headers.some(([name]) => name.toLowerCase().endsWith('-signature'))
}

/** A rejected request has changed nothing, or the failure is about it. */
export function mayHaveChanged(exchange: Exchange): boolean {
  return !isRead(exchange.request.method) && (exchange.response === null || exchange.response.status < 400)
}

/** Whether the second of two requests, in the order of their ends, began before the first ended. */
function overlap(one: Exchange | undefined, other: Exchange): boolean {
  // Starts are recorded only to the millisecond.
  return one !== undefined && Date.parse(other.startedAt) + 1 < Date.parse(one.startedAt) + one.durationMs
}
