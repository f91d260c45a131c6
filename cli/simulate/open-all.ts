import type { Logger } from 'pino'
import type { ControlServer, Simulator } from '../../simulator/index.ts'
import type { KeyPair, PlatformSimulator } from '../../simulator/platform/index.ts'
import { openControl } from './control.ts'
import type { SimulateFlags } from './options.ts'
import { firstPair } from './platform.ts'

/** The servers to start. */
interface Servers {
  readonly simulator: Simulator
  readonly platform: PlatformSimulator | null
  readonly flags: SimulateFlags
  readonly log: Logger
}

/** The started servers. */
interface Opened {
  readonly control: ControlServer | null
  /** The platform's key pair, where one was created. It must be shown now. */
  readonly pair: KeyPair | null
  readonly close: () => Promise<void>
}

/** Opens all ports. If one is in use it closes the others, so that nothing keeps the process alive. */
export async function openAll({ simulator, platform, flags, log }: Servers): Promise<Opened> {
  let control: ControlServer | null = null
  const close = async () => {
    await control?.close()
    await Promise.all([simulator.stop(), platform?.stop()])
  }
  try {
    await simulator.start()
    await platform?.start()
    control = await openControl({ simulator, platform }, flags, log)
    // Last, because a secret can be shown only once: after a failed start it would be lost.
    return { control, pair: platform && (await firstPair(platform)), close }
  } catch (error) {
    await close()
    throw error
  }
}
