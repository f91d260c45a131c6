/** How a server is to be started. */
export interface ServerSettings {
  /**
   * Plugin parameters, all strings. Without `API_Port` the driver gives the server a free port, and
   * tells it so, unless `defaultPort` is set.
   */
  readonly parameters: Readonly<Record<string, string>>
  /** Leave `API_Port` out, so that the server must choose 8443 itself. */
  readonly defaultPort: boolean
  /** Rule capacity; null leaves it to the server. Needs the capability `capacity`. */
  readonly capacity: number | null
  /** See `LaunchSettings`. A driver that has a new server each time always gives `anew`, the default. */
  readonly list?: 'anew' | 'empty' | 'any'
}

/** A server that a driver prepared; it is not started yet. */
export interface PreparedServer {
  readonly id: string
  readonly url: string
}

/**
 * Starts and stops servers. Every argument and result can be sent as a message, since the driver
 * lives in another thread than the checks. Throws `DriverFailed` where it cannot do its work.
 */
export interface Driver {
  /**
   * Prepares a server with a data folder of its own. With `defaultPort`, `port-taken` says that
   * something else uses that port.
   */
  prepare(settings: ServerSettings): Promise<PreparedServer | 'port-taken'>
  /** Settings for the next start. */
  configure(id: string, settings: ServerSettings): Promise<void>
  /**
   * Starts it; resolves to whether it answers HTTP. `patience` says how long to wait for the first
   * answer: `ready` for a server that should come up, `brief` for one that may stay silent.
   */
  start(id: string, patience: 'ready' | 'brief'): Promise<boolean>
  /** Stops it gracefully. */
  stop(id: string): Promise<void>
  /** Ends it at once, as a power cut would end the process. */
  crash(id: string): Promise<void>
  /** Whether the rules file exists. */
  hasRulesFile(id: string): Promise<boolean>
  deleteRulesFile(id: string): Promise<void>
  /** Replaces the rules file with this text. */
  writeRulesFile(id: string, text: string): Promise<void>
  /** Stops the server for good and removes what the driver made for it. */
  discard(id: string): Promise<void>
}

/** The driver could not do what it was asked for: the fault is not the target's. */
export class DriverFailed extends Error {
  override readonly name = 'DriverFailed'
}
