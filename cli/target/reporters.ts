import { stripVTControlCharacters } from 'node:util'
import type { Paint } from '../../reports/paint.ts'
import { formatEstimate, statusColours, statusLabels } from '../../reports/phrases.ts'
import type { Outcome, Status } from '../../suites/runner/outcome.ts'
import { createLiveLine } from '../live-line.ts'
import type { ReporterName } from '../options/run-options.ts'

interface Progress {
  show(outcome: Outcome): void
  end?(): void
}

interface ProgressOptions {
  readonly stream: NodeJS.WriteStream
  readonly paint: Paint
  readonly total: number
  readonly titles: ReadonlyMap<string, string>
  readonly timeLeft: { done(check: string): void; leftMs(): number | null }
}

type Reporter = (options: ProgressOptions) => Progress

const characters = { passed: '.', failed: 'F', error: 'E', blocked: 'B', 'out-of-scope': '-', 'not-applicable': '-' }

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
  return `${paint(statusColours[status], status.padEnd(12))} ${check} ${titles.get(check) ?? ''}\n`
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
        paint(statusColours[status], `${count} ${statusLabels[status]}`),
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
      stream.write(paint(statusColours[status], characters[status]))
      if (done % dotsInLine === 0) stream.write(` ${done}/${total}\n`)
    },
    end: () => void (done % dotsInLine > 0 && stream.write(` ${done}/${total}\n`)),
  }
}
