/** An error response of the control API, with a hint. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly hint: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, hint: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.hint = hint
    this.headers = headers
  }
}

/** The statuses of the simulator's errors; 400 for other errors with a hint. */
const statuses: Readonly<Record<string, number>> = {
  NoSnapshotError: 404,
  UnknownKeyError: 404,
  NotRunningError: 409,
  NotListeningError: 409,
  FaultExistsError: 409,
  CannotStartError: 409,
  UnreadablePlatformFileError: 409,
  PortUnavailableError: 409,
  WaitTimeoutError: 504,
}

/** The error response for an error; undefined if the error is unexpected. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error) || !('hint' in error) || typeof error.hint !== 'string') return undefined
  return new Problem(statuses[error.name] ?? 400, error.message, error.hint)
}
