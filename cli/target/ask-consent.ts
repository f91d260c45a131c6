import { confirm } from '@clack/prompts'
import { UsageError } from '../command-error.ts'

/** @throws {UsageError} unless the person at the terminal confirms */
export async function requireConsent(signal: AbortSignal): Promise<void> {
  if ((await confirm({ message: 'Continue?', initialValue: false, signal })) === true) return
  throw new UsageError('Nothing was written.', 'Confirm the question, or give `--yes`.')
}
