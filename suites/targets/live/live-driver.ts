import { Mutex } from 'async-mutex'
import { readLedger } from '../../safety/ledger.ts'
import { type Driver, DriverFailed, type ServerSettings, type StartWait } from '../driver.ts'
import type { LiveServer } from './live-server.ts'
import { type RestoredServer, restoreServer } from './restore-server.ts'
import { createStart } from './start.ts'
import { type StepName, StepSkipped } from './step.ts'

export interface LiveDriver extends Driver {
  /** Null if nothing was done to the server. */
  restoreServer(): Promise<RestoredServer | null>
}

/** The requests of the current check since the last start. */
interface Lease {
  settings: ServerSettings
  readonly queue: StepName[]
  started: boolean
}

/**
 * A driver with one server, which is leased to one check after the other. Stops and the steps after them wait for the
 * next start, so that a person is asked for all of them at once.
 */
export function createLiveDriver(server: LiveServer, temporaryKey: string): LiveDriver {
  const { state, options } = server
  const startWith = createStart(server, temporaryKey)
  // The parent thread may restore the server while a check still uses it.
  const mutex = new Mutex()
  let lease: Lease | null = null
  let declined = false

  const currentLease = () => {
    if (lease === null) throw new DriverFailed('no check has leased the server')
    return lease
  }
  /** Does steps now, unless the person skipped all further ones. */
  const unlessDeclined = async (steps: () => Promise<boolean>) => {
    if (declined) throw new StepSkipped('the person at the terminal skipped all checks that need steps')
    try {
      return await steps()
    } catch (error) {
      if (error instanceof StepSkipped) declined = error.forAll
      throw error
    }
  }
  const serially =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      mutex.runExclusive(() => work(...given))
  const unsupported = (message: string) => () => Promise.reject(new DriverFailed(message))

  return {
    prepare: serially(async (settings: ServerSettings) => {
      if (settings.port !== 'given' || settings.capacity !== null) {
        throw new DriverFailed('the port and the capacity of this server cannot be chosen')
      }
      lease = { settings, queue: [], started: false }
      return { id: 'live', url: options.url }
    }),
    prepareLike: unsupported('there is only one of this server'),
    configure: serially(async (_id, settings: ServerSettings) => {
      currentLease().settings = settings
    }),
    start: serially(async (_id, wait: StartWait) => {
      const current = currentLease()
      return unlessDeclined(() => {
        const isFresh = !current.started && current.settings.list !== 'any'
        current.started = true
        return startWith(current.settings, isFresh ? null : current.queue.splice(0), wait)
      })
    }),
    stop: serially(async () => void currentLease().queue.push('stop')),
    deleteRulesFile: serially(async () => {
      const { queue } = currentLease()
      const { desired } = state
      // While the server runs, the file must be deleted before the next requests.
      if (!state.running || desired === null || queue.length > 0) queue.push('delete-rules-file')
      else await unlessDeclined(() => server.drive({ steps: ['delete-rules-file'], desired }))
    }),
    crash: unsupported('this server cannot be killed'),
    hasRulesFile: unsupported('the rules file of this server cannot be seen'),
    writeRulesFile: unsupported('the rules file of this server cannot be written'),
    discard: serially(async () => {
      lease = null
    }),
    restoreServer: serially(async () => {
      const run = readLedger(options.ledger.file)
      // Without its ledger nothing else says whether the server was changed.
      return run === null || run.leased ? restoreServer(server) : null
    }),
  }
}
