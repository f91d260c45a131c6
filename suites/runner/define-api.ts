import type { Question } from '../../spec/question.ts'
import type { Requirement } from '../../spec/requirement.ts'
import type { Case, Check, ErrorTextProbe, Observation } from '../session/check.ts'
import type { Driver } from '../targets/driver.ts'
import { judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import type { ApiSettings, Shared } from './shared.ts'

/** An API that can be under test: its requirements, its checks, and what happens around each check. */
interface Definition<Session, Settings extends ApiSettings, Context extends ServerUnderTest<Session>> {
  readonly name: string
  readonly requirements: readonly Requirement[]
  readonly questions: readonly Question[]
  readonly checks: readonly Check<Session>[]
  readonly observations: readonly Observation<Session>[]
  /** Run only by `probe`. */
  readonly probes?: readonly ErrorTextProbe<Session>[]
  readonly exchangePrefix: string
  /** Creates the context of a server. `driver` is null if the kit cannot start servers. */
  createContext(settings: Settings, driver: Driver | null, shared: Shared): Context
  /** Contexts for checks that start their own servers. */
  createOwnContexts?(target: Context, driver: Driver, shared: Shared): OwnContexts<Context>
}

/** Gives each check that starts servers its own context, so that such checks can run concurrently and in any order. */
export interface OwnContexts<Context> {
  /** Runs the work with the context of a check. The servers of the check must have ended when it returns. */
  withContext<Result>(check: Case, work: (context: Context) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** An API as the rest of the kit sees it, without the type of its sessions. */
export interface Api<Settings extends ApiSettings = ApiSettings>
  extends Omit<Definition<never, Settings, never>, 'probes' | 'createContext' | 'createOwnContexts'> {
  readonly cases: readonly Case[]
  judged(settings: Settings, driver: Driver | null, shared: Shared): JudgedApi
}

/** The settings of the APIs of a run, by name. Can be sent to a worker. */
export type RunSettings = Readonly<Record<string, ApiSettings>>

/** The cases of an API and the server that they judge. */
export interface JudgedApi {
  readonly context: ServerUnderTest
  readonly cases: ReadonlyMap<string, Case>
  judge(check: string): Promise<Outcome>
  /** Null if all checks use the target. */
  readonly own: OwnContexts<JudgedApi> | null
}

export function defineApi<Session, Settings extends ApiSettings, Context extends ServerUnderTest<Session>>(
  definition: Definition<Session, Settings, Context>,
): Api<Settings> {
  const { createContext, createOwnContexts, probes = [], ...registries } = definition
  const cases = [...registries.checks, ...registries.observations, ...probes]
  return {
    ...registries,
    cases,
    judged(settings, driver, shared) {
      const context = createContext(settings, driver, shared)
      const own = (context.owned && driver && createOwnContexts?.(context, driver, shared)) || null
      return {
        ...judgedBy(cases, context),
        own: own && {
          ...own,
          withContext: (check, work) => own.withContext(check, (ofCheck) => work(judgedBy(cases, ofCheck))),
        },
      }
    },
  }
}

export function judgedBy<Session>(all: readonly Case<Session>[], context: ServerUnderTest<Session>): JudgedApi {
  const cases = new Map(all.map((check) => [check.id, check]))
  const own: JudgedApi = { context, cases, judge: (id) => judge(apiWith([own], id).check, context), own: null }
  return own
}

export function apiWith(apis: readonly JudgedApi[], id: string): { readonly api: JudgedApi; readonly check: Case } {
  for (const api of apis) {
    const check = api.cases.get(id)
    if (check !== undefined) return { api, check }
  }
  throw new Error(`the plan names an unknown check: ${id}`)
}
