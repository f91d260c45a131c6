import { PortUnavailableError } from './http/server.ts'
import { beginLife, type Life } from './life.ts'
import { checkCapacity, portFor, type Resolved } from './options.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { takingTurns } from './store/turns.ts'

/** What may change from one start to the next. */
export interface Changes {
  /** Takes the place of all parameters. */
  readonly parameters?: Parameters
  readonly capacity?: number
}

/** The lives of one plugin, one after the other. Starts and stops wait for each other; a crash waits for nothing. */
export interface LifeCycle {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly restart: (changes: Changes) => Promise<void>
  readonly crash: () => Promise<void>
  /** The present life; without one, the first life, begun without a port. Undefined after a stop or a crash. */
  readonly firstOrPresent: () => Promise<Life | undefined>
  readonly present: () => Life | undefined
  readonly parameters: () => Parameters
  readonly setParameters: (parameters: Parameters) => void
}

export function lifeCycle(resolved: Resolved): LifeCycle {
  const { log } = resolved
  const turns = takingTurns()
  let { parameters, capacity } = resolved
  let life: Life | undefined
  let started = false
  let hadLife = false
  let portFound: number | undefined

  async function begin(): Promise<Life> {
    life ??= await beginLife({ ...resolved, parameters, capacity })
    hadLife = true
    return life
  }

  async function start(): Promise<void> {
    if (started) return
    const begun = await begin()
    try {
      await listenAgain(begun, { wanted: portFor(resolved, parameters), before: portFound })
    } catch (error) {
      life = undefined
      throw error
    }
    started = true
    portFound = begun.port() ?? portFound
    log({ level: 'info', event: 'started', port: begun.port() })
  }

  async function stop(): Promise<void> {
    const ending = life
    if (ending === undefined) return
    await ending.end()
    leave(ending, 'stopped')
  }

  async function restart(changes: Changes): Promise<void> {
    const withoutPort = life !== undefined && !started
    await stop()
    capacity = checkCapacity(changes.capacity ?? capacity)
    parameters = { ...(changes.parameters ?? parameters) }
    await (withoutPort ? begin() : start())
  }

  async function crash(): Promise<void> {
    const dying = life
    if (dying === undefined) return
    await dying.die()
    leave(dying, 'crashed')
  }

  function leave(left: Life, event: string): void {
    // A crash during a stop: the first of the two to finish has left already.
    if (life !== left) return
    life = undefined
    started = false
    log({ level: 'info', event })
  }

  return {
    start: () => turns.take(start),
    stop: () => turns.take(stop),
    restart: (changes) => turns.take(() => restart(changes)),
    crash,
    firstOrPresent: async () => life ?? (hadLife ? undefined : turns.take(begin)),
    present: () => life,
    parameters: () => parameters,
    setParameters: (next) => {
      parameters = { ...next }
    },
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
