import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { createOwnDriver, type OwnDriver } from './own-servers.ts'
import { withPort } from './ports.ts'

/** What all simulators of a driver have in common. */
export type SimulatorTraits = Pick<SimulatorOptions, 'profile' | 'override' | 'capacity'>

/** A driver whose servers are simulators in this process, with real ports and real files. */
export function createEmbeddedDriver(traits: SimulatorTraits = {}): OwnDriver {
  return createOwnDriver<Simulator>({
    async start({ settings, port, folder }) {
      const simulator = createSimulator({
        ...traits,
        parameters: { ...withPort(settings, port) },
        dataDir: folder.path,
        ...(settings.capacity === null ? {} : { capacity: settings.capacity }),
      })
      try {
        await simulator.start()
        return { running: simulator, answering: simulator.running }
      } catch {
        // Whether the API comes up at all is what some checks want to know.
        return { running: null, answering: false }
      }
    },
    stop: (simulator) => simulator.stop(),
    crash: (simulator) => simulator.crash(),
  })
}
