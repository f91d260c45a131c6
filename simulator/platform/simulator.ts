import type { RequestHandler } from '../server/app.ts'
import { frontOf, handIn, NotListeningError } from '../server/front.ts'
import { lifeCycle } from '../server/life-cycle.ts'
import type { KeptFile } from '../storage/kept-file.ts'
import { type KeyRing, keyRing } from './keys/key-ring.ts'
import { beginLife, type Life } from './life.ts'
import type { TradingAccount } from './model/trading-account.ts'
import { type PlatformSimulatorOptions, resolvePlatformOptions } from './options.ts'

/** A platform API that answers as the specification says. */
export interface PlatformSimulator extends AsyncDisposable {
  /**
   * Loads keys and accounts and opens the port. Does nothing if it is started already.
   *
   * @throws PortUnavailableError, UnreadablePlatformFileError, InvalidOptionError
   */
  readonly start: () => Promise<void>
  /** Finishes requests in flight, then closes everything. Does nothing if it is not started. */
  readonly stop: () => Promise<void>
  /** Stops and starts again. Port 0 keeps the port found first, as long as it is free. */
  readonly restart: () => Promise<void>
  /** Dies: cuts all connections, saves nothing, forgets what is in memory. */
  readonly crash: () => Promise<void>
  /** E.g. `http://127.0.0.1:1234`, to which clients add `/v1`. @throws NotListeningError */
  readonly url: string
  /** @throws NotListeningError */
  readonly port: number
  /** Whether it is alive: started, or loaded by the first request to `callback()`. */
  readonly running: boolean
  /** The trading accounts, the oldest first; none while it is stopped. */
  readonly accounts: readonly TradingAccount[]
  /**
   * The key pairs, as the client dashboard manages them. Can be used before the first start, but
   * not between a stop and the next start: that throws NotListeningError.
   */
  readonly keys: KeyRing
  /** The file with keys and accounts, to be read, damaged or removed by a test. */
  readonly file: KeptFile
  /** A handler for `supertest`, `light-my-request` or a server of your own. The first request loads the file. */
  readonly callback: () => RequestHandler
}

const hint = 'Await start() first.'

/**
 * A platform simulator, not yet started.
 *
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError
 */
export function createPlatformSimulator(options: PlatformSimulatorOptions = {}): PlatformSimulator {
  const resolved = resolvePlatformOptions(options)
  const { log, seams, now } = resolved
  const cycle = lifeCycle<Life>({ begin: () => beginLife(resolved), wantedPort: () => resolved.port, log })
  const front = frontOf(cycle, { host: resolved.host, hint })
  const alive = async () => {
    const life = await cycle.firstOrPresent()
    if (life === undefined) throw new NotListeningError(hint)
    return life
  }
  const keys = keyRing({
    present: async () => (await alive()).records.present(),
    change: async (change) => {
      const { records, write } = await alive()
      await records.turns.take(async () => {
        const next = change(records.present())
        await write(next)
        records.publish(next)
      })
      log({ level: 'info', event: 'keys-changed', keys: records.present().keys.length })
    },
    hashSecret: seams.hashSecret,
    now,
  })
  return {
    start: cycle.start,
    stop: cycle.stop,
    restart: () => cycle.restart(() => undefined),
    crash: cycle.crash,
    get url() {
      return front.url()
    },
    get port() {
      return front.port()
    },
    get running() {
      return cycle.present() !== undefined
    },
    get accounts() {
      return cycle.present()?.records.present().accounts ?? []
    },
    keys,
    file: resolved.file,
    callback: () => handIn(cycle, log),
    [Symbol.asyncDispose]: cycle.stop,
  }
}
