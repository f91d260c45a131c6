import { UsageError } from '../command-error.ts'
import type { RunOptions } from '../options/run-options.ts'
import { questionStream } from '../question-stream.ts'

/** Prints a message for people: to stderr if stdout is for JSON, and nothing with `--quiet`. */
export function notice({ reporter }: Pick<RunOptions, 'reporter'>, text: string): void {
  if (reporter !== 'quiet') linesStream(reporter).write(text)
}

export function linesStream(reporter: RunOptions['reporter']): NodeJS.WriteStream {
  return reporter === 'json' ? process.stderr : process.stdout
}

/** Announces what will be written, and asks for consent on a terminal. @throws {UsageError} without consent */
export async function announceAndAsk(
  announcement: string,
  { options, signal }: { readonly options: Pick<RunOptions, 'yes' | 'reporter'>; readonly signal: AbortSignal },
): Promise<void> {
  if (options.yes || !process.stdin.isTTY) return notice(options, announcement)
  // Loaded only here, since a run must start fast.
  const { confirm } = await import('../prompts.ts')
  const output = questionStream()
  output.write(announcement)
  if ((await confirm({ message: 'Continue?', initialValue: false, signal, output })) === true) return
  throw new UsageError('Nothing was written.', 'Confirm the question, or give `--yes`.')
}
