import { clearLine, cursorTo } from 'node:readline'
import type { WriteStream } from 'node:tty'
import type { Paint } from '../../reports/paint.ts'
import type { Outcome, Status } from '../../suites/runner/outcome.ts'

/** Shows how far a run is. */
export interface Progress {
  show(outcome: Outcome): void
  end(): void
}

const colours: Readonly<Record<Status, Parameters<Paint>[0]>> = {
  passed: 'green',
  failed: 'red',
  error: 'red',
  blocked: 'yellow',
  'out-of-scope': 'dim',
  'not-applicable': 'dim',
}

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream
  readonly paint: Paint
  readonly total: number
  readonly titles: ReadonlyMap<string, string>
}

/** One line that is written over and over on a terminal; a line for each check elsewhere. */
export function createProgress(options: ProgressOptions): Progress {
  return options.stream.isTTY ? liveLine(options) : plainLines(options)
}

function liveLine({ stream, paint, total, titles }: ProgressOptions): Progress {
  const counts = new Map<Status, number>()
  let done = 0
  const clear = () => {
    clearLine(stream as WriteStream, 0)
    cursorTo(stream as WriteStream, 0)
  }
  return {
    show({ check, status }) {
      done += 1
      counts.set(status, (counts.get(status) ?? 0) + 1)
      const tally = [...counts].map(([name, count]) => paint(colours[name], `${count} ${name}`)).join(', ')
      const title = `${check} ${titles.get(check) ?? ''}`
      const room = Math.max(0, (stream.columns ?? 80) - `[${total}/${total}]  `.length - plainLength(counts) - 2)
      clear()
      stream.write(
        `[${String(done).padStart(String(total).length)}/${total}] ${tally}  ${paint('dim', title.slice(0, room))}`,
      )
    },
    end: clear,
  }
}

function plainLength(counts: ReadonlyMap<Status, number>): number {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ').length
}

function plainLines({ stream, paint, titles }: ProgressOptions): Progress {
  return {
    show({ check, status }) {
      stream.write(`${paint(colours[status], status.padEnd(12))} ${check} ${titles.get(check) ?? ''}\n`)
    },
    end: () => undefined,
  }
}
