import { confirm } from '@clack/prompts'
import { UsageError } from '../command-error.ts'
import { questionStream } from '../question-stream.ts'

export interface Consent {
  /** Do not ask. */
  readonly yes: boolean
  /** Cancels the question. */
  readonly signal: AbortSignal
}

/**
 * Says what is about to be written. Where stdin is a terminal, asks for consent too.
 *
 * @throws {UsageError} unless the person at the terminal confirms
 */
export async function announceAndAsk(announcement: string, { yes, signal }: Consent): Promise<void> {
  if (yes || !process.stdin.isTTY) return void process.stdout.write(announcement)
  const output = questionStream()
  output.write(announcement)
  if ((await confirm({ message: 'Continue?', initialValue: false, signal, output })) === true) return
  throw new UsageError('Nothing was written.', 'Confirm the question, or give `--yes`.')
}
