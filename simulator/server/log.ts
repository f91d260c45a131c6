export type LogLevel = 'info' | 'warn' | 'error'

/** One log entry. Never contains the key, a header, a body or a path as sent. */
export interface LogEntry {
  readonly level: LogLevel
  /** What happened, e.g. `started`, `request`, `save-failed`. */
  readonly event: string
  readonly [detail: string]: unknown
}

/** The methods of a pino logger that are used. */
export type Logger = Readonly<Record<LogLevel, (details: object, message: string) => void>>

/** Receives log entries: a function, or a logger such as pino. */
export type Log = ((entry: LogEntry) => void) | Logger

export function resolveLog(log: Log | undefined): (entry: LogEntry) => void {
  if (log === undefined) return () => undefined
  if (typeof log === 'function') return log
  return ({ level, event, ...details }) => log[level](details, event)
}
