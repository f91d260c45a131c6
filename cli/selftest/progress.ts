import { clearLine, cursorTo } from 'node:readline'
import type { WriteStream } from 'node:tty'
import { describeTask, type Task } from './task.ts'

/** Shows the progress of a self-test. */
export interface Progress {
  show(task: Task): void
  end(): void
}

/** One line that is rewritten on a terminal; nothing elsewhere. */
export function createProgress(stream: WriteStream & { fd: number }, total: number): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined }
  let done = 0
  let ended = false
  const clear = () => {
    if (ended) return
    clearLine(stream, 0)
    cursorTo(stream, 0)
  }
  return {
    show(task) {
      done += 1
      const line = `[${String(done).padStart(String(total).length)}/${total}] ${describeTask(task)}`
      clear()
      stream.write(line.slice(0, Math.max(0, (stream.columns ?? 80) - 1)))
    },
    end() {
      clear()
      ended = true
    },
  }
}
