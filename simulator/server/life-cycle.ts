import { takingTurns } from '../storage/turns.ts'
import type { RequestHandler } from './app.ts'
import { PortUnavailableError } from './listen.ts'
import type { LogEntry } from './log.ts'

/** One life of a server, from a start to a stop or a crash. */
export interface ServerInstance {
  readonly handle: RequestHandler
  /** The port listened on; undefined while there is none. */
  readonly port: () => number | undefined
  /** Opens the port. @throws PortUnavailableError */
  readonly listen: (port: number) => Promise<void>
  /** Lets requests in flight finish, then closes everything. */
  readonly close: () => Promise<void>
  /** Cuts everything off at once. When it resolves, nothing touches the files any more. */
  readonly kill: () => Promise<void>
}

/** How the lives of a server begin. */
export interface LifeCycleOptions<Instance extends ServerInstance> {
  /** Loads what was kept. */
  readonly startInstance: () => Promise<Instance>
  /** The port to open; 0 for any. */
  readonly port: () => number
  readonly log: (entry: LogEntry) => void
  /** Is told when a life has begun, opened its port, or ended. */
  readonly onChange?: () => void
}

/** The lives of one server, one after the other. Starts and stops wait for each other; a crash waits for nothing. */
export interface LifeCycle<OneLife extends ServerInstance> {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** `change` runs while the server is stopped. */
  readonly restart: (change: () => void | Promise<void>) => Promise<void>
  readonly crash: () => Promise<void>
  /** The present life; without one, the first life, begun without a port. Undefined after a stop or a crash. */
  readonly currentOrFirst: () => Promise<OneLife | undefined>
  readonly current: () => OneLife | undefined
}

export function lifeCycle<OneLife extends ServerInstance>(options: LifeCycleOptions<OneLife>): LifeCycle<OneLife> {
  const { log, onChange = () => undefined } = options
  const mutex = takingTurns()
  let instance: OneLife | undefined
  let started = false
  let hasStarted = false
  let hasListened = false
  let lastPort: number | undefined

  async function startInstance(): Promise<OneLife> {
    instance ??= await options.startInstance()
    hasStarted = true
    onChange()
    return instance
  }

  async function start(): Promise<void> {
    if (started) return
    hasListened = true
    const begun = await startInstance()
    try {
      await listenAgain(begun, { wanted: options.port(), before: lastPort })
    } catch (error) {
      instance = undefined
      throw error
    }
    started = true
    lastPort = begun.port() ?? lastPort
    log({ level: 'info', event: 'started', port: begun.port() })
    onChange()
  }

  async function stop(): Promise<void> {
    const ending = instance
    if (ending === undefined) return
    await ending.close()
    leave(ending, 'stopped')
  }

  async function restart(change: () => void | Promise<void>): Promise<void> {
    // One that is only handed requests goes on so, even after a crash.
    const withoutPort = hasStarted && !hasListened
    await stop()
    await change()
    await (withoutPort ? startInstance() : start())
  }

  async function crash(): Promise<void> {
    const dying = instance
    if (dying === undefined) return
    await dying.kill()
    leave(dying, 'crashed')
  }

  function leave(left: OneLife, event: string): void {
    // A crash during a stop: the first of the two to finish has left already.
    if (instance !== left) return
    instance = undefined
    started = false
    log({ level: 'info', event })
    onChange()
  }

  return {
    start: () => mutex.take(start),
    stop: () => mutex.take(stop),
    restart: (change) => mutex.take(() => restart(change)),
    crash,
    currentOrFirst: async () => instance ?? (hasStarted ? undefined : mutex.take(startInstance)),
    current: () => instance,
  }
}

/** Where any port will do, clients that remember the one found before should find it again. */
async function listenAgain(
  instance: ServerInstance,
  { wanted, before }: { wanted: number; before: number | undefined },
) {
  if (wanted !== 0 || before === undefined) return instance.listen(wanted)
  try {
    await instance.listen(before)
  } catch (error) {
    if (!(error instanceof PortUnavailableError)) throw error
    await instance.listen(0)
  }
}
