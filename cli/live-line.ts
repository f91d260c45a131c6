import { clearLine, cursorTo } from 'node:readline'
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'

/** A line of a terminal that is rewritten. */
export function createLiveLine(stream: NodeJS.WriteStream) {
  const clear = () => {
    clearLine(stream as WriteStream, 0)
    cursorTo(stream as WriteStream, 0)
  }
  return {
    clear,
    /** Replaces the line, truncated to the width of the terminal. */
    show(line: string) {
      const width = (stream.columns ?? 80) - 1
      const plain = stripVTControlCharacters(line)
      clear()
      // Truncating a coloured line could split an escape sequence.
      stream.write(plain.length <= width ? line : plain.slice(0, width))
    },
  }
}
