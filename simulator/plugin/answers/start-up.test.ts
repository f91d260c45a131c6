import type { startUpQuestions } from '../../../spec/plugin/questions/start-up.ts'
import type { Simulator } from '../../index.ts'
import { key, post, ruleText } from '../../testing/client.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'

const copy = (master: number) => `${master}>1,mult,1.0,same`

/** The masters of the rules after a start, or the error that was thrown. */
async function masters(simulator: Simulator) {
  try {
    await simulator.start()
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
  return simulator.rules.map(({ master }) => master)
}

const started = (parameters: Record<string, string>, capacity = 1000) => ({
  given: { parameters: { ...parameters, API_Key: key }, capacity },
  notStarted: true,
  show: masters,
})

demonstrate({
  'plugin.start.copy-syntax': {
    ...started({ Copy_1: copy(1), Copy_2: '2;1;mult;1.0;same' }),
    shows: { public: [1n], other: [2n] },
  },
  'plugin.start.copy-order': {
    ...started({ Copy_10: copy(10), Copy_2: copy(2) }),
    shows: { numeric: [2n, 10n], lexical: [10n, 2n] },
  },
  'plugin.start.copy-spelling': { ...started({ Copy_007: copy(7) }), shows: { loaded: [7n], ignored: [] } },
  'plugin.start.copy-spaces': {
    ...started({ Copy_1: '1001 > 2001, mult, 1.0, same' }),
    shows: { accepted: [1001n], unreadable: [] },
  },
  'plugin.start.copy-unreadable': {
    ...started({ Copy_1: copy(1), Copy_2: 'garbage', Copy_3: copy(3) }),
    shows: { 'skipped': [1n, 3n], 'none-loaded': [], 'refuses-to-start': 'CannotStartError' },
  },
  'plugin.start.copy-over-capacity': {
    ...started({ Copy_1: copy(1), Copy_2: copy(2) }, 1),
    shows: { 'first': [1n], 'all': [1n, 2n], 'refuses-to-start': 'CannotStartError' },
  },
  'plugin.start.copy-saved': {
    given: { parameters: { API_Key: key, Copy_1: copy(1) } },
    show: async (simulator) => {
      await simulator.restart({ parameters: { API_Key: key, Copy_1: copy(2) } })
      return simulator.rules.map(({ master }) => master)
    },
    shows: { no: [2n], yes: [1n] },
  },
  'plugin.start.file-corrupt': {
    given: { parameters: { API_Key: key, Copy_1: copy(1) } },
    notStarted: true,
    show: async (simulator) => {
      await simulator.rulesFile.write(Buffer.from('damaged'))
      return masters(simulator)
    },
    shows: { 'empty': [], 'parameters': [1n], 'refuses-to-start': 'CannotStartError' },
  },
  'plugin.start.file-over-capacity': {
    show: async (simulator) => {
      await post(simulator, ruleText({ master: '1' }))
      await post(simulator, ruleText({ master: '2' }))
      try {
        await simulator.restart({ capacity: 1 })
      } catch (error) {
        return error instanceof Error ? error.name : error
      }
      return simulator.rules.map(({ master }) => master)
    },
    shows: { 'first': [1n], 'all': [1n, 2n], 'refuses-to-start': 'CannotStartError' },
  },
} satisfies Demonstrations<typeof startUpQuestions>)
