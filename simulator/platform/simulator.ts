import { type RunnableServer, runnable } from '../server/address.ts'
import type { Clock } from '../server/clock.ts'
import type { StoredFile } from '../storage/stored-file.ts'
import { type KeyRing, keyRing } from './keys/key-ring.ts'
import { notRunningHint, platformLifeCycle } from './life-cycle.ts'
import type { PlatformAccount } from './model/platform-account.ts'
import type { TradingAccount } from './model/trading-account.ts'
import { type PlatformSimulatorOptions, resolvePlatformOptions } from './options.ts'

/** A platform API that behaves as the specification says. */
export interface PlatformSimulator extends RunnableServer {
  /**
   * Loads keys and accounts and opens the port. Has no effect if it is already started.
   * @throws PortUnavailableError, UnreadablePlatformFileError, InvalidOptionError
   */
  readonly start: () => Promise<void>
  /** Stops and starts again. Port 0 keeps the port of the first start while it is free. */
  readonly restart: () => Promise<void>
  /**
   * Restores keys and accounts as they were first loaded, or at the last `markInitialState()`. Resets the clock, the used
   * signatures and the request count. Restarts a platform that has stopped or crashed.
   * @throws PortUnavailableError
   */
  readonly reset: () => Promise<void>
  /** Makes the current keys and accounts the state that `reset` restores. @throws NotListeningError */
  readonly markInitialState: () => Promise<void>
  /** The account of GET /v1/account. */
  readonly account: PlatformAccount
  /** The trading accounts, the oldest first; none while it is stopped. */
  readonly accounts: readonly TradingAccount[]
  /**
   * The key pairs, as the client dashboard manages them. Can be used before the first start, but
   * not between a stop and the next start: that throws NotListeningError.
   */
  readonly keys: KeyRing
  /** The clock for all timestamps, for the validity of keys and signatures, and for the rate limit. */
  readonly clock: Clock
  /**
   * Calls the listener when keys or accounts have changed, or when the platform has started or ended. Returns a
   * function that ends the subscription.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The file with keys and accounts, which a test can read, damage or remove. */
  readonly file: StoredFile
}

/**
 * A platform simulator, not yet started.
 *
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError
 */
export function createPlatformSimulator(options: PlatformSimulatorOptions = {}): PlatformSimulator {
  const resolved = resolvePlatformOptions(options)
  const platform = platformLifeCycle(resolved)
  const { lifeCycle, changes, current, reset, markInitialState } = platform
  const { clock, file, account } = resolved
  return runnable(
    lifeCycle,
    { ...resolved, hint: notRunningHint },
    {
      restart: () => lifeCycle.restart(() => undefined),
      reset,
      markInitialState,
      account,
      get accounts() {
        return current()?.accounts ?? []
      },
      keys: keyRing(platform, resolved),
      clock,
      subscribe: changes.subscribe,
      file,
    },
  )
}
