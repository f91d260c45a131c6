import type { Logger } from 'pino'
import type { ControlServer, Simulator } from '../../simulator/index.ts'
import type { KeyPair, PlatformSimulator } from '../../simulator/platform/index.ts'
import { openControl } from './control.ts'
import type { SimulateFlags } from './options.ts'
import { firstPair } from './platform.ts'

/** What is to listen. */
interface Servers {
  readonly simulator: Simulator
  readonly platform: PlatformSimulator | null
  readonly flags: SimulateFlags
  readonly log: Logger
}

/** All that was asked for, listening. */
interface Opened {
  readonly control: ControlServer | null
  /** The platform's key pair, where one was made; it must be shown now. */
  readonly pair: KeyPair | null
  readonly close: () => Promise<void>
}

/** Opens all ports or, where one is taken, none: then nothing may keep the process alive. */
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
    // Last of all: a pair whose secret nobody was shown would be there for good.
    return { control, pair: platform && (await firstPair(platform)), close }
  } catch (error) {
    await close()
    throw error
  }
}
