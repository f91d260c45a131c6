import type { RunOptions } from '../options/run-options.ts'

/** Prints lines for people: to stderr while stdout is for JSON, and none with `--quiet`. */
export function notice({ reporter }: Pick<RunOptions, 'reporter'>, text: string): void {
  if (reporter !== 'quiet') linesStream(reporter).write(text)
}

/** Where lines for people go. */
export function linesStream(reporter: RunOptions['reporter']): NodeJS.WriteStream {
  return reporter === 'json' ? process.stderr : process.stdout
}
