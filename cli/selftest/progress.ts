import { createLiveLine } from '../live-line.ts'
import { describeTask, type Task } from './task.ts'

/** Shows the progress of a self-test. */
export interface Progress {
  show(task: Task): void
  end(): void
}

/** One line that is rewritten on a terminal; nothing elsewhere. */
export function createProgress(stream: NodeJS.WriteStream, total: number): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined }
  const line = createLiveLine(stream)
  let done = 0
  let ended = false
  return {
    show(task) {
      done += 1
      line.show(`[${String(done).padStart(String(total).length)}/${total}] ${describeTask(task)}`)
    },
    end() {
      if (!ended) line.clear()
      ended = true
    },
  }
}
