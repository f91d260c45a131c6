import { waitUntil } from '../client/wait.ts'
import type { LaunchSettings } from '../session/session.ts'

export interface ServerSettings extends Pick<LaunchSettings, 'list'> {
  /** Plugin parameters, all strings. `port` decides about `API_Port`. */
  readonly parameters: Readonly<Record<string, string>>
  /**
   * How a server learns its port. `given`: by the variable `TCK_PORT` and the parameter `API_Port`. `high`: in the same
   * way, a port above 32767. `parameter`: only by `API_Port`. `default`: not at all, so that it must use 8443.
   */
  readonly port: 'given' | 'high' | 'parameter' | 'default'
  /** Rule capacity; null leaves it to the server. Needs the capability `capacity`. */
  readonly capacity: number | null
}

/** How long to wait for the first response: `ready` for a server that must answer, `brief` for one that may not. */
export type StartWait = 'ready' | 'brief'

export interface StartOptions {
  /** The time limit for a server that must answer. */
  readonly readyMs: number
  /** The minimum wait for a server that may not answer. */
  readonly briefMs: number
}

/** The time for a response to the first requests. */
const minRequestMs = 1_000

/**
 * Waits for servers of one kind to be ready. Resolves to whether one is ready in time. `afterFailureMs` is the time limit
 * after a failed start, until one is ready again.
 */
export function createStartWait({ readyMs, briefMs }: StartOptions, intervalMs: number, afterFailureMs = readyMs) {
  /** A later start may take as long as the slowest one so far. */
  let slowestMs = 0
  let hasFailed = false

  /**
   * `isReady` gets the time for its request, and returns null for a server that has ended. A server that was silent so
   * far has as much time again, since each of its responses may be slow.
   */
  return async (wait: StartWait, isReady: (requestMs: number) => Promise<boolean | null>): Promise<boolean> => {
    const startedAt = performance.now()
    // Before the first start that succeeds, nothing is known about how long one takes.
    const isShort = wait === 'brief' || (hasFailed && slowestMs > 0)
    const shortMs = Math.max(wait === 'brief' ? briefMs : afterFailureMs, Math.min(2 * slowestMs, readyMs))
    const timeoutMs = isShort ? shortMs : readyMs
    const look = () => {
      const passedMs = performance.now() - startedAt
      return isReady(Math.max(minRequestMs, Math.min(passedMs, timeoutMs - passedMs)))
    }
    const ready = await waitUntil(look, { timeoutMs, intervalMs })
    if (ready) slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    if (ready !== null && wait === 'ready') hasFailed = !ready
    return ready === true
  }
}

export interface PreparedServer {
  readonly id: string
  readonly url: string
}

/** Starts and stops servers. All arguments and results can be sent between threads. Throws `DriverFailed`. */
export interface Driver {
  /** Prepares a server with its own data folder. Throws `PortTaken` if another program uses the default port. */
  prepare(settings: ServerSettings): Promise<PreparedServer>
  /** Prepares one more server with the settings of another. */
  prepareLike(id: string): Promise<PreparedServer>
  /** Changes the settings for the next start. */
  configure(id: string, settings: ServerSettings): Promise<void>
  /** Resolves to whether it answers HTTP. */
  start(id: string, wait: StartWait): Promise<boolean>
  stop(id: string): Promise<void>
  /** Kills it without any shutdown. */
  crash(id: string): Promise<void>
  hasRulesFile(id: string): Promise<boolean>
  deleteRulesFile(id: string): Promise<void>
  writeRulesFile(id: string, text: string): Promise<void>
  /** Ends the server and removes its data. */
  discard(id: string): Promise<void>
}

/** The driver could not do its work, which is not the fault of the target. */
export class DriverFailed extends Error {
  override readonly name: string = 'DriverFailed'
}

export class PortTaken extends DriverFailed {
  override readonly name = 'PortTaken'
}
