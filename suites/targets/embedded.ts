import {
  createSimulator,
  memoryRulesFile,
  type RulesFile,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts'
import { createOwnDriver, type Home, type OwnDriver } from './own-servers.ts'
import { withPort } from './ports.ts'

/** What all simulators of a driver have in common. */
export type SimulatorTraits = Pick<SimulatorOptions, 'profile' | 'override' | 'capacity'>

interface MemoryHome extends Home {
  readonly rulesFile: RulesFile
}

/**
 * A driver whose servers are simulators in this process, with real ports. Their rules files are
 * kept in memory, where they outlive each simulator as a file would, but cost no disk.
 */
export function createEmbeddedDriver(traits: SimulatorTraits = {}): OwnDriver {
  return createOwnDriver<MemoryHome, Simulator>({
    settle: async () => memoryHome(),
    async start({ settings, port, home }) {
      const simulator = createSimulator({
        ...traits,
        // Nobody asks for it, and it would cost time.
        journal: 0,
        parameters: withPort(settings, port),
        rulesFile: home.rulesFile,
        ...(settings.capacity === null ? {} : { capacity: settings.capacity }),
      })
      try {
        await simulator.start()
        return { running: simulator, answering: listens(simulator) }
      } catch {
        // Whether the API comes up at all is what some checks want to know.
        return { running: null, answering: false }
      }
    },
    stop: (simulator) => simulator.stop(),
    crash: (simulator) => simulator.crash(),
  })
}

function listens(simulator: Simulator): boolean {
  try {
    return simulator.port > 0
  } catch {
    // With an empty API_Key it runs and listens nowhere.
    return false
  }
}

function memoryHome(): MemoryHome {
  const rulesFile = memoryRulesFile()
  return {
    rulesFile,
    hasRulesFile: () => rulesFile.exists(),
    deleteRulesFile: () => rulesFile.remove(),
    writeRulesFile: (text) => rulesFile.write(Buffer.from(text)),
    remove: () => rulesFile.remove(),
  }
}
