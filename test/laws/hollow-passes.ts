import type { IncomingMessage } from 'node:http'
import { judge } from '../../cli/selftest/plugin/judge.ts'
import type { Override } from '../../simulator/plugin/hooks/hooks.ts'
import { ErrorResponse } from '../../simulator/server/error-response.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type Check, ownServerCapabilities, type Tolerance } from '../../suites/session/check.ts'
import type { Session } from '../../suites/session/session.ts'
import { createEmbeddedDriver } from '../../suites/targets/embedded.ts'

/** What a server does with one request of a check: it rejects it, loses its response, or reports a success and does nothing. */
export const faults = ['401', '500', 'lost', 'ignored'] as const
export type Fault = (typeof faults)[number]

/** What lets a check pass although this happens to one of its requests. */
export const toleranceOf: Readonly<Record<Fault, Tolerance>> = {
  401: 'rejection',
  500: 'rejection',
  lost: 'end of connection',
  ignored: 'no effect',
}

/** A request that a check sent, in the order in which the server saw them. */
interface SeenRequest {
  readonly line: string
  /** Null as long as it has no response. */
  status: number | null
}

interface Step {
  /** Which request of the check, from 0. */
  readonly at: number
  readonly fault: Fault
}

const capacity = 32

/** Rules that only make room may stay, so these requests are served. */
function servingClear(session: Session, serve: (requests: () => Promise<void>) => Promise<void>): Session {
  const { rules } = session
  return { ...session, rules: { ...rules, clear: (drafts) => serve(() => rules.clear(drafts)) } }
}

/**
 * Runs a check against a correct simulator to which `step` happens, in each repetition of the check. What is sent
 * before and after it, such as the clean-up, is served.
 */
export async function runWith(check: Check, step: Step | null, seed: number) {
  let seen: SeenRequest[] = []
  let isAtWork = false
  let next: Fault | null = null
  const override: Override = ({ asksForKey, addRule, removeRule, finish }) => ({
    asksForKey(request) {
      if (!isAtWork) return asksForKey(request)
      if (seen.length === step?.at) next = step.fault
      seen.push({ line: `${request.method} ${request.path}`, status: null })
      if (next !== '401' && next !== '500') return asksForKey(request)
      const status = Number(next)
      next = null
      throw new ErrorResponse(status, 'Rejected by the test.')
    },
    addRule(rules, rule) {
      if (next !== 'ignored') return addRule(rules, rule)
      next = null
      return { rules, position: rules.length }
    },
    removeRule(rules, position) {
      if (next !== 'ignored') return removeRule(rules, position)
      next = null
      return rules
    },
    finish(response, request: IncomingMessage) {
      const line = `${request.method} ${request.url?.split('?')[0]}`
      const own = isAtWork ? seen.findLast((one) => one.line === line && one.status === null) : undefined
      if (own !== undefined) own.status = response.status
      if (next === 'lost') {
        next = null
        request.socket.destroy()
      }
      return finish(response, request)
    },
  })
  const watched: Check = {
    ...check,
    async run(session) {
      seen = []
      isAtWork = true
      const serve = async (requests: () => Promise<void>) => {
        isAtWork = false
        await requests()
        isAtWork = true
      }
      try {
        await check.run(servingClear(session, serve))
      } finally {
        isAtWork = false
        next = null
      }
    },
  }
  const [outcome] = await judge({
    driver: createEmbeddedDriver({ capacity, override }),
    capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    capacity,
    chosen: { checks: [watched], seed },
  })
  return { outcome: outcome as Outcome, seen: seen as readonly SeenRequest[] }
}
