import { takingTurns } from '../storage/turns.ts'
import type { RequestHandler } from './app.ts'
import { PortUnavailableError } from './listen.ts'
import type { LogEntry } from './log.ts'

/** One life of a server, from a start to a stop or a crash. */
export interface Life {
  readonly handle: RequestHandler
  /** The port listened on; undefined while there is none. */
  readonly port: () => number | undefined
  /** Opens the port. @throws PortUnavailableError */
  readonly listen: (port: number) => Promise<void>
  /** Lets requests in flight finish, then closes everything. */
  readonly end: () => Promise<void>
  /** Cuts everything off at once. When it resolves, nothing touches the files any more. */
  readonly die: () => Promise<void>
}

/** How the lives of a server begin. */
export interface Beginnings<OneLife extends Life> {
  /** Loads what was kept. */
  readonly begin: () => Promise<OneLife>
  /** The port to open; 0 for any. */
  readonly wantedPort: () => number
  readonly log: (entry: LogEntry) => void
  /** Is told when a life has begun, opened its port, or ended. */
  readonly onTurn?: () => void
}

/** The lives of one server, one after the other. Starts and stops wait for each other; a crash waits for nothing. */
export interface LifeCycle<OneLife extends Life> {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** `change` runs while the server is stopped. */
  readonly restart: (change: () => void | Promise<void>) => Promise<void>
  readonly crash: () => Promise<void>
  /** The present life; without one, the first life, begun without a port. Undefined after a stop or a crash. */
  readonly firstOrPresent: () => Promise<OneLife | undefined>
  readonly present: () => OneLife | undefined
}

export function lifeCycle<OneLife extends Life>(beginnings: Beginnings<OneLife>): LifeCycle<OneLife> {
  const { log, onTurn = () => undefined } = beginnings
  const turns = takingTurns()
  let life: OneLife | undefined
  let started = false
  let hadLife = false
  let hadPort = false
  let portFound: number | undefined

  async function begin(): Promise<OneLife> {
    life ??= await beginnings.begin()
    hadLife = true
    onTurn()
    return life
  }

  async function start(): Promise<void> {
    if (started) return
    hadPort = true
    const begun = await begin()
    try {
      await listenAgain(begun, { wanted: beginnings.wantedPort(), before: portFound })
    } catch (error) {
      life = undefined
      throw error
    }
    started = true
    portFound = begun.port() ?? portFound
    log({ level: 'info', event: 'started', port: begun.port() })
    onTurn()
  }

  async function stop(): Promise<void> {
    const ending = life
    if (ending === undefined) return
    await ending.end()
    leave(ending, 'stopped')
  }

  async function restart(change: () => void | Promise<void>): Promise<void> {
    // One that is only handed requests goes on so, even after a crash.
    const withoutPort = hadLife && !hadPort
    await stop()
    await change()
    await (withoutPort ? begin() : start())
  }

  async function crash(): Promise<void> {
    const dying = life
    if (dying === undefined) return
    await dying.die()
    leave(dying, 'crashed')
  }

  function leave(left: OneLife, event: string): void {
    // A crash during a stop: the first of the two to finish has left already.
    if (life !== left) return
    life = undefined
    started = false
    log({ level: 'info', event })
    onTurn()
  }

  return {
    start: () => turns.take(start),
    stop: () => turns.take(stop),
    restart: (change) => turns.take(() => restart(change)),
    crash,
    firstOrPresent: async () => life ?? (hadLife ? undefined : turns.take(begin)),
    present: () => life,
  }
}

/** Where any port will do, clients that remember the one found before should find it again. */
async function listenAgain(life: Life, { wanted, before }: { wanted: number; before: number | undefined }) {
  if (wanted !== 0 || before === undefined) return life.listen(wanted)
  try {
    await life.listen(before)
  } catch (error) {
    if (!(error instanceof PortUnavailableError)) throw error
    await life.listen(0)
  }
}
