import type { IncomingMessage } from 'node:http'
import { judgePlatform } from '../../cli/target/platform/self-test.ts'
import type { PlatformOverride } from '../../simulator/platform/hooks/hooks.ts'
import type { Override } from '../../simulator/plugin/hooks/hooks.ts'
import type { ReceivedRequest } from '../../simulator/server/receive.ts'
import { ErrorResponse, type HttpResponse } from '../../simulator/server/response.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type Check, ownServerCapabilities, type PlatformCheck, type Tolerance } from '../../suites/session/check.ts'
import type { Session } from '../../suites/session/session.ts'
import { createEmbeddedDriver } from '../../suites/targets/embedded.ts'
import { judgeServer } from '../judge-server.ts'

/** What a server does with one request of a check: it rejects it, loses its response, or reports a success and does nothing. */
export const faults = ['401', '500', 'lost', 'ignored'] as const
export type Fault = (typeof faults)[number]

/** The tolerance that lets a check pass although this happens to one of its requests. */
export const toleranceOf: Readonly<Record<Fault, Tolerance>> = {
  401: 'rejection',
  500: 'rejection',
  lost: 'end of connection',
  ignored: 'no effect',
}

/** A request that a check sent, in the order in which the server saw them. */
interface SeenRequest {
  readonly line: string
  /** Null until it has a response. */
  status: number | null
}

interface Step {
  /** The index of the request in the check. */
  readonly at: number
  readonly fault: Fault
}

/** Tracks the requests of a check, and changes one of them. */
function createPlay(step: Step | null) {
  let seen: SeenRequest[] = []
  let isRunning = false
  let next: Fault | null = null
  return {
    seen: (): readonly SeenRequest[] => seen,
    /** Throws if the request must be rejected. */
    received({ method, path }: ReceivedRequest): void {
      if (!isRunning) return
      if (seen.length === step?.at) next = step.fault
      seen.push({ line: `${method} ${path}`, status: null })
      if (next !== '401' && next !== '500') return
      const status = Number(next)
      next = null
      throw new ErrorResponse(status, 'Rejected by the test.')
    },
    /** Whether the current change must have no effect. */
    ignores(): boolean {
      const isIgnored = next === 'ignored'
      if (isIgnored) next = null
      return isIgnored
    },
    finished({ status }: HttpResponse, request: IncomingMessage): void {
      const line = `${request.method} ${request.url?.split('?')[0]}`
      const own = isRunning ? seen.findLast((one) => one.line === line && one.status === null) : undefined
      if (own !== undefined) own.status = status
      if (next !== 'lost') return
      next = null
      request.socket.destroy()
    },
    /** Requests before and after it, such as the clean-up, are served. */
    async during(work: () => Promise<void>): Promise<void> {
      seen = []
      isRunning = true
      try {
        await work()
      } finally {
        isRunning = false
        next = null
      }
    },
    async serve<Result>(requests: () => Promise<Result>): Promise<Result> {
      isRunning = false
      const result = await requests()
      isRunning = true
      return result
    },
  }
}

const capacity = 32

/** Runs a check against a correct simulator with `step` applied, in each repetition of the check. */
export type RunWith = (
  check: Check<never>,
  step: Step | null,
  seed: number,
) => Promise<{ readonly outcome: Outcome; readonly seen: readonly SeenRequest[] }>

export const runPluginWith: RunWith = async (check, step, seed) => {
  const play = createPlay(step)
  const override: Override = ({ asksForKey, addRule, removeRule, finish }) => ({
    asksForKey(request) {
      play.received(request)
      return asksForKey(request)
    },
    addRule: (rules, rule) => (play.ignores() ? { rules, position: rules.length } : addRule(rules, rule)),
    removeRule: (rules, position) => (play.ignores() ? rules : removeRule(rules, position)),
    finish(response, request) {
      play.finished(response, request)
      return finish(response, request)
    },
  })
  const { run, ...rest } = check as Check
  // Rules that only make room may stay, so these requests are served.
  const serveClearing = ({ rules, ...session }: Session): Session => ({
    ...session,
    rules: { ...rules, clear: (drafts) => play.serve(() => rules.clear(drafts)) },
  })
  const watched: Check = { ...rest, run: (session) => play.during(() => run(serveClearing(session))) }
  const [outcome] = await judgeServer({
    driver: createEmbeddedDriver({ capacity, override }),
    capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    capacity,
    ...{ checks: [watched], seed },
  })
  return { outcome: outcome as Outcome, seen: play.seen() }
}

export const runPlatformWith: RunWith = async (check, step) => {
  const play = createPlay(step)
  const override: PlatformOverride = ({ asksForKey, addAccount, finish }) => ({
    asksForKey(request) {
      play.received(request)
      return asksForKey(request)
    },
    addAccount: (accounts, account) => (play.ignores() ? accounts : addAccount(accounts, account)),
    finish(response, request) {
      play.finished(response, request)
      return finish(response, request)
    },
  })
  const { run, ...rest } = check as PlatformCheck
  // Other checks share the sample and judge it.
  const watched: PlatformCheck = {
    ...rest,
    run: (platform) =>
      play.during(() =>
        run({
          ...platform,
          sample: () => play.serve(platform.sample),
          created: () => play.serve(platform.created),
          ordinary: () => play.serve(platform.ordinary),
          wronglySigned: () => play.serve(platform.wronglySigned),
        }),
      ),
  }
  const [outcome] = await judgePlatform({ override }, [watched])
  return { outcome: outcome as Outcome, seen: play.seen() }
}
