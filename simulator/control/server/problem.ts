import type { Json } from '../../server/response.ts'

/** A request that is not carried out, with what to do about it. */
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

/** Statuses of the errors that the simulator throws; 400 for the others that have a hint. */
const statuses: Readonly<Record<string, number>> = {
  NoSnapshotError: 404,
  UnknownKeyError: 404,
  NotRunningError: 409,
  NotListeningError: 409,
  FaultExistsError: 409,
  RefusesToStartError: 409,
  UnreadablePlatformFileError: 409,
  PortUnavailableError: 409,
  WaitedInVainError: 504,
}

/** What a client is told of an error; undefined for one that nobody foresaw. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error) || !('hint' in error) || typeof error.hint !== 'string') return undefined
  return new Problem(statuses[error.name] ?? 400, error.message, error.hint)
}

export function bodyOf({ message, hint }: Problem): Json {
  return { error: message, hint }
}
