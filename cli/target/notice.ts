import type { RunOptions } from '../options/run-options.ts'

/** Prints a message for people: to stderr if stdout is for JSON, and nothing with `--quiet`. */
export function notice({ reporter }: Pick<RunOptions, 'reporter'>, text: string): void {
  if (reporter !== 'quiet') linesStream(reporter).write(text)
}

/** The stream for messages to people. */
export function linesStream(reporter: RunOptions['reporter']): NodeJS.WriteStream {
  return reporter === 'json' ? process.stderr : process.stdout
}
