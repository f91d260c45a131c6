import { performance } from 'node:perf_hooks'
import { stripVTControlCharacters } from 'node:util'
import { type Paint, paintFor } from '../../reports/paint.ts'
import { formatEstimate, statusLabels } from '../../reports/phrases.ts'
import type { ExpectedAnswers } from '../../suites/runner/evidence.ts'
import type { Outcome, Status } from '../../suites/runner/outcome.ts'
import { type CheckThread, runInWorker } from '../../suites/runner/run-in-worker.ts'
import { createLiveLine } from '../live-line.ts'
import type { ReporterName } from '../options/run-options.ts'
import { roundTripsOf } from './plugin/estimates.ts'
import type { ReadySession } from './session.ts'

interface ChecksOptions {
  readonly see?: (outcome: Outcome) => void
  /** Default: outcomes keep all evidence. */
  readonly expectedAnswers?: ExpectedAnswers
  /** Default: no estimate. */
  readonly estimatedMs?: number | null
}

/** Runs the planned checks in a worker thread and shows the progress. */
export async function runChecks(
  { apis, planned, settings, driver, options, signal, shared }: ReadySession,
  thread: CheckThread,
  { see, expectedAnswers = null, estimatedMs = null }: ChecksOptions = {},
): Promise<readonly Outcome[]> {
  const stream = process.stdout
  const isListed = options.reporter === 'list'
  // The others are known to be out of scope and take no time.
  const shown = new Set(planned.flatMap(({ id, outOfScope }) => (isListed || outOfScope === null ? id : [])))
  const weights = planned.flatMap(({ id, outOfScope }) =>
    outOfScope === null ? [[id, roundTripsOf(id)] as const] : [],
  )
  const timeLeft = createTimeLeft(new Map(weights), estimatedMs)
  const titles = new Map(apis.flatMap(({ api }) => api.cases).map(({ id, title }) => [id, title]))
  const shows = { stream, paint: paintFor(stream), total: shown.size, titles, timeLeft }
  const progress = reporters[options.reporter](shows)
  const { lifeCycle, thorough } = options
  // Only ends checks that hang, even if repeated. Steps of a person can take all day, and hooks have their own limit.
  const onceMs = lifeCycle === null ? 300_000 : lifeCycle.manual ? 86_400_000 : 3_600_000
  const onOutcome = (outcome: Outcome) => {
    if (shown.has(outcome.check)) progress.show(outcome)
    see?.(outcome)
  }
  try {
    return await runInWorker({
      ...{ thread, settings, plan: planned, driver, expectedAnswers, signal, onOutcome },
      ...{ checkTimeoutMs: 2 * onceMs * thorough },
      ...{ jobs: options.jobs, redact: shared.redact, readsOnly: apis.every(({ risk }) => risk === 'read') },
    })
  } finally {
    progress.end?.()
  }
}

export type TimeLeft = ReturnType<typeof createTimeLeft>

/** The share of the run after which the time that its checks took is meaningful. */
const reliableShare = 0.1

/**
 * Estimates the remaining time: from the estimate, if any, and increasingly from the time that checks took. A check
 * with twice the weight takes about twice as long.
 */
export function createTimeLeft(weights: ReadonlyMap<string, number>, estimatedMs: number | null) {
  const startedAt = performance.now()
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let doneWeight = 0
  let wholeMs = estimatedMs
  const passedMs = () => performance.now() - startedAt
  return {
    done(check: string) {
      doneWeight += weights.get(check) ?? 0
      const share = doneWeight / total
      const likeThis = passedMs() / share
      if (estimatedMs !== null) wholeMs = share * likeThis + (1 - share) * estimatedMs
      else if (share >= reliableShare) wholeMs = likeThis
    },
    /** Null while unknown. */
    leftMs: () => (wholeMs === null ? null : Math.max(0, wholeMs - passedMs())),
  }
}

interface Progress {
  show(outcome: Outcome): void
  end?(): void
}

interface ProgressOptions {
  readonly stream: NodeJS.WriteStream
  readonly paint: Paint
  readonly total: number
  readonly titles: ReadonlyMap<string, string>
  readonly timeLeft: TimeLeft
}

type Reporter = (options: ProgressOptions) => Progress

const looks: Readonly<Record<Status, { readonly colour: Parameters<Paint>[0]; readonly dot: string }>> = {
  passed: { colour: 'green', dot: '.' },
  failed: { colour: 'red', dot: 'F' },
  error: { colour: 'red', dot: 'E' },
  blocked: { colour: 'yellow', dot: 'B' },
  'out-of-scope': { colour: 'dim', dot: '-' },
  'not-applicable': { colour: 'dim', dot: '-' },
}

const silent: Reporter = () => ({ show: () => undefined })

/** How each reporter shows the progress. The result is the same for all but `json` and `quiet`. */
export const reporters: Readonly<Record<ReporterName, Reporter>> = {
  line: (options) => (options.stream.isTTY ? liveLine(options) : milestones(options)),
  list: (options) => ({ show: (outcome) => options.stream.write(listLine(outcome, options)) }),
  dot: dots,
  json: silent,
  quiet: silent,
}

function listLine({ check, status }: Outcome, { paint, titles }: ProgressOptions): string {
  return `${paint(looks[status].colour, status.padEnd(12))} ${check} ${titles.get(check) ?? ''}\n`
}

/** The line for a failure; empty for any other outcome. The message, which quotes the target, is only in the report. */
function failureLine(outcome: Outcome, options: ProgressOptions): string {
  return outcome.status === 'failed' || outcome.status === 'error' ? listLine(outcome, options) : ''
}

function createTally({ paint, total }: ProgressOptions) {
  const counts = new Map<Status, number>()
  let done = 0
  return {
    count({ status }: Outcome) {
      done += 1
      counts.set(status, (counts.get(status) ?? 0) + 1)
      return done
    },
    text() {
      const labels = Array.from(counts, ([status, count]) =>
        paint(looks[status].colour, `${count} ${statusLabels[status]}`),
      )
      return `${String(done).padStart(String(total).length)}/${total}  ${labels.join(', ')}`
    },
  }
}

/** Shorter remaining times are not shown. */
const minShownMs = 10_000

/** One line that is rewritten, also during long checks, with the failures above it. */
function liveLine(options: ProgressOptions): Progress {
  const { stream, paint, titles, timeLeft } = options
  const line = createLiveLine(stream)
  const tally = createTally(options)
  let title = ''
  const left = () => {
    const leftMs = timeLeft.leftMs() ?? 0
    return leftMs < minShownMs ? '' : `  about ${formatEstimate(leftMs)} left`
  }
  const rewrite = () => {
    const text = tally.text() + left()
    const room = (stream.columns ?? 80) - 3 - stripVTControlCharacters(text).length
    line.show(`${text}  ${paint('dim', title.slice(0, Math.max(0, room)))}`)
  }
  const timer = setInterval(() => left() !== '' && rewrite(), 1_000)
  return {
    show(outcome) {
      tally.count(outcome)
      timeLeft.done(outcome.check)
      title = `${outcome.check} ${titles.get(outcome.check) ?? ''}`
      line.clear()
      stream.write(failureLine(outcome, options))
      rewrite()
    },
    end() {
      clearInterval(timer)
      line.clear()
    },
  }
}

/** For logs: a line after every tenth of the checks, and the failures. */
function milestones(options: ProgressOptions): Progress {
  const { stream, total } = options
  const tally = createTally(options)
  return {
    show(outcome) {
      const done = tally.count(outcome)
      stream.write(failureLine(outcome, options))
      const tenth = Math.floor((done * 10) / total)
      if (tenth > Math.floor(((done - 1) * 10) / total)) {
        stream.write(`${String(tenth * 10).padStart(3)} %  ${tally.text()}\n`)
      }
    },
  }
}

const dotsInLine = 80

function dots({ stream, paint, total }: ProgressOptions): Progress {
  let done = 0
  return {
    show({ status }) {
      done += 1
      stream.write(paint(looks[status].colour, looks[status].dot))
      if (done % dotsInLine === 0) stream.write(` ${done}/${total}\n`)
    },
    end: () => void (done % dotsInLine > 0 && stream.write(` ${done}/${total}\n`)),
  }
}
