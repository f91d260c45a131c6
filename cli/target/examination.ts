import { randomBytes } from 'node:crypto'
import { visibleLine } from '../../reports/visible.ts'
import { type HttpResponse, NoResponse } from '../../suites/client/response.ts'
import type { Shared } from '../../suites/runner/shared.ts'
import type { Risk } from '../../suites/session/check.ts'
import type { UnreachableError, UsageError } from '../command-error.ts'

type RunError = typeof UnreachableError | typeof UsageError

/** The result of an examination. Each text fits on a line. */
export interface DoctorFinding {
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped'
  readonly finding: string
  readonly remedy?: string | undefined
  /** The error with which a run ends before it begins. Other problems are left to the checks. */
  readonly ends?: RunError | undefined
}

export const ok = (finding: string, remedy?: string): DoctorFinding => ({ state: 'ok', finding, remedy })
export const warning = (finding: string, remedy: string): DoctorFinding => ({ state: 'warning', finding, remedy })
export const problem = (finding: string, remedy: string, ends?: RunError): DoctorFinding => ({
  ...{ state: 'problem', finding, remedy, ends },
})
export const skipped = (finding: string, remedy?: string): DoctorFinding => ({ state: 'skipped', finding, remedy })

/** Examines one aspect of a target before a run. */
export interface Examination<Reads> {
  readonly name: string
  /** The examination that must succeed before this one. */
  readonly after?: string
  /** What a run must not do if this examination finds a problem. */
  readonly forbids: 'everything' | 'writing' | 'nothing'
  /** Whether a run begins with it. */
  readonly begins?: true
  examine(reads: Reads): Promise<DoctorFinding> | DoctorFinding
}

export interface ExaminedServer {
  readonly url: string
  readonly examined: readonly (DoctorFinding & { readonly name: string })[]
  /** The highest possible risk of a run; null if the target cannot be judged at all. */
  readonly risk: Risk | null
  readonly conclusion: string
}

/** An ordered list of what may be wrong with a server. `conclude` returns the last line of `doctor`. */
export function defineExaminations<Reads extends Pick<ExaminedServer, 'url'> & Pick<Shared, 'redact'>>(
  conclude: (risk: Risk | null) => string,
  table: readonly Examination<Reads>[],
) {
  const cleaned = ({ redact }: Reads, text: string) => visibleLine(redact(text))
  return {
    /** Sends only what decides whether a run can begin. @throws {UnreachableError} or {UsageError} if it cannot */
    async require(reads: Reads): Promise<void> {
      for (const examination of table.filter(({ begins }) => begins)) {
        const { finding, remedy = '', ends: Failure } = await runExamination(examination, reads)
        if (Failure !== undefined) throw new Failure(`${cleaned(reads, finding)}.`, cleaned(reads, remedy))
      }
    },
    /** Runs the examinations in order, and skips those after a problem. */
    async examine(reads: Reads): Promise<ExaminedServer> {
      const examined: ExaminedServer['examined'][number][] = []
      // The examinations with a problem, and those skipped because of one, with the reason. An examination that was
      // skipped because it had nothing to examine is not among them.
      const obstacles = new Map<string, string>()
      const forbidden = new Set<Examination<Reads>['forbids']>()
      for (const examination of table) {
        const { name, after = '' } = examination
        const obstacle = obstacles.get(after)
        const { state, finding, remedy } =
          obstacle === undefined ? await runExamination(examination, reads) : skipped(`Skipped: "${obstacle}" failed.`)
        if (obstacle !== undefined || state === 'problem') obstacles.set(name, obstacle ?? name)
        if (state === 'problem') forbidden.add(examination.forbids)
        examined.push({ name, state, finding: cleaned(reads, finding), remedy: remedy && cleaned(reads, remedy) })
      }
      const risk = forbidden.has('everything') ? null : forbidden.has('writing') ? 'read' : 'exclusive'
      return { url: reads.redact(reads.url), examined, risk, conclusion: conclude(risk) }
    },
  }
}

async function runExamination<Reads>({ examine }: Examination<Reads>, reads: Reads): Promise<DoctorFinding> {
  try {
    return await examine(reads)
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return problem(error.message, 'Check that the server still runs, or allow more time with `--timeout <ms>`.')
  }
}

export function once<T>(send: () => Promise<T>): () => Promise<T> {
  let sent: Promise<T> | null = null
  return () => {
    sent ??= send()
    return sent
  }
}

/** The statuses without a key and with a wrong one, and which of the two are accepted, as text. */
export async function tryWithoutKey(send: (key: string | null) => Promise<HttpResponse>) {
  const { status: wrong } = await send(`wrong-${randomBytes(12).toString('hex')}`)
  const { status: none } = await send(null)
  const accepted = [...(wrong < 400 ? ['a wrong key'] : []), ...(none < 400 ? ['a missing key'] : [])].join(' and ')
  return { wrong, none, accepted }
}

/** More than network delay, rounding and a slow response can explain. */
const toleratedSeconds = 60

export async function examineClock(request: () => Promise<HttpResponse>): Promise<DoctorFinding> {
  const { headers, exchange } = await request()
  const { date } = headers
  if (date === undefined) return skipped('the responses have no Date header')
  const there = Date.parse(date)
  if (Number.isNaN(there)) {
    return warning('the Date header is not a valid date', 'Fix the server: see RFC 9110, 5.6.7.')
  }
  const here = Date.parse(exchange.startedAt) + exchange.durationMs / 2
  // The header has whole seconds: on average, half a second has passed since.
  const seconds = Math.round((there + 500 - here) / 1000)
  const finding =
    seconds === 0
      ? 'agrees with the local clock'
      : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the local clock`
  if (Math.abs(seconds) <= toleratedSeconds) return ok(finding)
  return warning(
    finding,
    'Correct the wrong clock. Otherwise the times of the report and of the server log do not match.',
  )
}
