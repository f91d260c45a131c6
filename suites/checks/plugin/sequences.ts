import { expectSequencesFollowed, mostWritesOf } from '../../sequences/follow.ts'
import { listScenarios, restartScenarios } from '../../sequences/scenarios.ts'
import type { Check } from '../../session/check.ts'
import { copyOf } from './copy-parameters.ts'

/** The number of random sequences in an ordinary run. */
const drawn = { onTheTarget: 2, onOwnServer: 4 } as const

/** Fixed and random sequences of requests: the list must be as the rules of clause 4.2 say. */
export const sequenceChecks: readonly Check[] = [
  {
    id: 'CT-981',
    requirement: 'plugin.sequence.list',
    title: 'Random sequences of POST, DELETE, GET and rejected requests leave the expected list',
    risk: 'write',
    mostWrites: (thorough) => mostWritesOf({ scenarios: listScenarios, drawn: drawn.onTheTarget * thorough }),
    tolerates: ['no effect', 'rejection'],
    run: ({ plugin, rules, owned, seed, thorough }) =>
      expectSequencesFollowed(
        { plugin, rules, restart: null, startFresh: null, alone: owned },
        { scenarios: listScenarios, drawn: drawn.onTheTarget * thorough, seed },
      ),
  },
  {
    id: 'CT-982',
    requirement: 'plugin.persist.list',
    title: 'Random sequences of changes leave the same list with restarts in between as without',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    copies: true,
    tolerates: ['rejection'],
    async run(session) {
      const { prepare, rules, seed, thorough } = session
      const server = await prepare({ copy: copyOf(session, { Copy_1: rules.draft() }) })
      const startFresh = async () => {
        await server.stop()
        await server.deleteRulesFile()
        await server.start()
      }
      await expectSequencesFollowed(
        { ...server, startFresh, alone: true },
        { scenarios: restartScenarios, drawn: drawn.onOwnServer * thorough, seed },
      )
    },
  },
]
