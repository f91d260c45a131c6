import { FailedExpectation } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { isTimeout } from '../client/failure-reason.ts'
import { isOfReverseProxy, mayReplaceServer, ServerReplaced } from '../client/proxied.ts'
import type { Recorder } from '../client/recorder.ts'
import { type HttpResponse, NoResponse, orNoResponse, orNull } from '../client/response.ts'
import { waitUntil } from '../client/wait.ts'
import type { Logins } from '../model/rule.ts'
import { ServerFault } from '../safety/list-change-errors.ts'
import type { Case } from '../session/check.ts'
import type { LaunchedServer, Seen } from '../session/session.ts'
import { reasonToStop } from './classify.ts'
import { noneBroken } from './confirm.ts'
import type { Finding } from './outcome.ts'
import { initialState, note, type RunState } from './state.ts'

/** Defaults for an API whose checks leave nothing behind and whose server no other client changes. */
export const plainServer = {
  state: initialState as RunState,
  /** Findings of earlier checks for checks over the whole run. */
  earlier: [] as readonly Seen[],
  /** Findings in this context for checks over the whole run. */
  seen: (): Seen => ({}),
  /** Why this check must no longer change anything; null if it may. */
  closedReason: (_check: Case): string | null => null,
  /** What the server did to foreign rules because of a request of this run; null for nothing. */
  harm: async (): Promise<ServerFault | null> => null,
  /** Resolves when no other check of the run is active. None begins before this one has ended. */
  becomeAlone: async () => {},
  /** Called before a check that may change something. */
  prepare: async () => {},
  /** Keeps the servers of the last check running; null if they do not stay. */
  keeper: (_check: string): Keeper<never> | null => null,
  /** Path of the list that a failure may depend on; null if none is known. */
  listPath: null as string | null,
  /** The rules of the server at this URL before the check; null if unknown. */
  rulesBefore: (_url: string): readonly Logins[] | null => null,
  /** The options to run only this check in the same way. */
  rerun: ({ id }: Case) => `--only ${id}`,
  /** The requests since the last call that ended with a broken connection. */
  takeBrokenConnections: () => noneBroken,
  /** Whether a silent server is assumed to have crashed because of the check, so that `cleanUp` restarts it. */
  hasDied: () => false,
  /** Why the list was too small for a check with these exchanges; null if that did not cause its failure. */
  fullReason: async (_: readonly Exchange[], _launched: readonly LaunchedServer[]): Promise<string | null> => null,
  /** Whether a response may show a rate limit of the server, or of a proxy in front of it. */
  mayLimitRate: false,
  /** Throws `ServerReplaced` if something responds to plain reads of a running server in its place. */
  requireServer: async () => {},
  recordUnjudged: (_check: UnjudgedCheck) => {},
  /** Called after a check, and again if a response was lost. `isLast` means that there is no further attempt. */
  cleanUp: async (_check: Case, _isLast: boolean) => {},
  /** Removes what one check leaves in place for the next. */
  release: async () => {},
  /** Lets this many more requests pass, and no others. */
  sendOnly: (_count: number) => {},
  /** Makes a repeated check draw the same random content again. Null if other clients cannot affect a check. */
  rewind: null as (() => void) | null,
}

/** A server under test: what the runner does around each check. */
export interface ServerUnderTest<Session = unknown> extends Omit<typeof plainServer, 'keeper'> {
  readonly recorder: Recorder
  readonly redact: (text: string) => string
  /** The environment variable for the key in a `curl` command. */
  readonly keyVariable: string
  /** Whether the kit itself started the server, so that `--keep-server` can leave one in the state before the failure. */
  readonly owned: boolean
  keeper(check: string): Keeper<Session> | null
  openCheck(check: Case): OpenCheck<Session>
  isAnswering(): Promise<boolean>
}

/** Provides the API with a server in the state before the check, to repeat `count` requests before `step`. */
export type Keeper<Session> = (step: Exchange, count: number) => Promise<ServerUnderTest<Session>>

/** Why a check could not be judged: its exchanges, and the failed expectation that stopped it, if any. */
export interface UnjudgedCheck {
  readonly exchanges: readonly Exchange[]
  readonly cause: FailedExpectation | null
}

export interface OpenCheck<Session> {
  session(): Session | Promise<Session>
  readonly servers: readonly LaunchedServer[]
  /** Stops and removes those servers. */
  close(): Promise<void>
}

/**
 * The rate limit that a check met, which clause 8 leaves open; null if it met none. Neither a 429 nor a 503 of a reverse
 * proxy shows whether the request would otherwise be accepted, nor does a 403 or 503 that says when to try again.
 * `isOpen` is true for a failure and for a question without an answer.
 */
export function rateLimit({ status }: Finding, isOpen: boolean, exchanges: readonly Exchange[]): string | null {
  if (!isOpen && status !== 'passed') return null
  const isLimit = (response: NonNullable<Exchange['response']>) => {
    const isLater = response.headers.some(([name]) => name.toLowerCase() === 'retry-after')
    if (response.status === 503) return isOpen && (isLater || isOfReverseProxy(response))
    return response.status === 429 || (isOpen && isLater && response.status === 403)
  }
  const limited = exchanges.find(({ response }) => response !== null && isLimit(response))
  if (limited === undefined) return null
  const advice = 'the server takes no more requests for now, end its rate limit or try again with a lower --max-rps'
  return `${advice}: ${limited.request.method} was answered with ${limited.response?.status}`
}

/** Whether a server responds to one of these requests, even if not in HTTP. Each is tried twice if a connection broke. */
export async function isAnswering(requests: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  const again: (() => Promise<unknown>)[] = []
  for (const ask of requests) {
    const seen = await orNoResponse(ask())
    if (!(seen instanceof NoResponse) || isMalformed(seen)) return true
    // Only connections break by chance, so timeouts are not tried again.
    if (!isTimeout(seen)) again.push(ask)
  }
  for (const ask of again) {
    if (!((await orNoResponse(ask())) instanceof NoResponse)) return true
  }
  return false
}

/** Throws `ServerReplaced` if none of these plain reads gets a response of the API. If one does, the server is judged. */
export async function requireServer(reads: readonly (() => Promise<HttpResponse>)[]): Promise<void> {
  const found: ServerReplaced[] = []
  for (const read of reads) {
    const response = await orNull(read())
    const { request, response: received } = response?.exchange ?? {}
    if (request === undefined || !received || response?.json !== undefined || !mayReplaceServer(received)) return
    found.push(new ServerReplaced(new URL(request.url).pathname, received))
  }
  const [first] = found
  if (first !== undefined) throw first
}

/** Whether a server responds within this time. After a crash it may be started again. One that hangs is not. */
export async function answersAgain(ask: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  const answers = async () => {
    const seen = await orNoResponse(ask())
    if (!(seen instanceof NoResponse)) return true
    return isTimeout(seen) ? null : false
  }
  return (await waitUntil(answers, { timeoutMs: withinMs, intervalMs: 200 })) === true
}

/** Whether something other than an HTTP response arrived. */
export function isMalformed({ cause }: NoResponse): boolean {
  return String((cause as NodeJS.ErrnoException | undefined)?.code).startsWith('HPE_')
}

/** Removes what one check leaves in place for the next. */
export async function release(api: ServerUnderTest): Promise<void> {
  try {
    await api.release()
  } catch (error) {
    const isSilent = error instanceof NoResponse && !(await api.isAnswering())
    const stopped = reasonToStop(error, isSilent ? 'silent' : null)
    if (stopped !== null) return note(api, { stopped })
    // The check of its requirement reports harm, and the next clean-up removes what is left.
    const isOfTarget = [ServerFault, NoResponse, FailedExpectation].some((kind) => error instanceof kind)
    if (!isOfTarget) throw error
  }
}
