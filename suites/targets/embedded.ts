import { createSimulator, memoryRulesFile, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { createOwnDriver, type OwnDriver } from './own-servers.ts'
import { withPort } from './ports.ts'

export type SimulatorSettings = Pick<
  SimulatorOptions,
  'profile' | 'override' | 'capacity' | 'plugin' | 'headers' | 'reasonPhrases' | 'errorTexts'
>

/** A driver whose servers are simulators in this process, with real ports and rules files in memory. */
export function createEmbeddedDriver(simulatorSettings: SimulatorSettings = {}): OwnDriver {
  return createOwnDriver(async (port) => {
    const rulesFile = memoryRulesFile()
    return {
      rulesFile,
      remove: rulesFile.remove,
      async launch(settings) {
        const simulator = createSimulator({
          ...simulatorSettings,
          // The journal is not used here and takes time.
          journal: 0,
          parameters: withPort(settings, port),
          rulesFile,
          ...(settings.capacity === null ? {} : { capacity: settings.capacity }),
        })
        try {
          await simulator.start()
        } catch {
          // Some checks expect that the server does not start.
          return null
        }
        return {
          answers: async () => listens(simulator),
          stop: () => simulator.stop(),
          crash: () => simulator.crash(),
        }
      },
    }
  })
}

function listens(simulator: Simulator): boolean {
  try {
    return simulator.port > 0
  } catch {
    // With an empty `API_Key` it runs without listening.
    return false
  }
}
