import { clearLine, cursorTo } from 'node:readline'
import type { WriteStream } from 'node:tty'

/** A line of a terminal that is written over and over. */
export function createLiveLine(stream: NodeJS.WriteStream) {
  const clear = () => {
    clearLine(stream as WriteStream, 0)
    cursorTo(stream as WriteStream, 0)
  }
  return {
    clear,
    /** Replaces the line; cut where the terminal ends. `plain` is what it shows, without colours. */
    show(line: string, plain = line) {
      const width = (stream.columns ?? 80) - 1
      clear()
      // Cutting a coloured line could cut a colour in two.
      stream.write(plain.length <= width ? line : plain.slice(0, width))
    },
  }
}
