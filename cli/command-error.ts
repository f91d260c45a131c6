import { exitCode } from './exit-code.ts'

/** The message says why the command cannot continue, the hint what to do. */
abstract class CommandError extends Error {
  abstract readonly exitCode: number
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.hint = hint
  }
}

/** Wrong usage or configuration; at most reads were sent. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = exitCode.usage
}

/** The target cannot be reached, or rejects the key. */
export class UnreachableError extends CommandError {
  override readonly name = 'UnreachableError'
  override readonly exitCode = exitCode.unreachable
}

/** A foreign server is not in its original state. */
export class ServerNotRestoredError extends CommandError {
  override readonly name = 'ServerNotRestoredError'
  override readonly exitCode = exitCode.harmed
}
