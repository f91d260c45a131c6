import { expectSequencesFollowed, mostWritesOf } from '../../sequences/follow.ts'
import { listScenarios, restartScenarios } from '../../sequences/scenarios.ts'
import { type Check, checks } from '../../session/check.ts'
import { copyOf } from './copy-parameters.ts'
import { writing } from './scopes.ts'

/** The number of random sequences in an ordinary run. */
const drawn = { onTheTarget: 2, onOwnServer: 4 } as const

/** Fixed and random sequences of requests: the list must be as the rules of clause 4.2 say. */
export const sequenceChecks: readonly Check[] = [
  ...checks(
    {
      ...writing,
      mostWrites: (thorough) => mostWritesOf({ scenarios: listScenarios, drawn: drawn.onTheTarget * thorough }),
      tolerates: ['no effect', 'rejection'],
    },
    'plugin.sequence.list',
    {
      'CT-981 Random sequences of POST, DELETE, GET and rejected requests leave the expected list': ({
        plugin,
        rules,
        owned,
        seed,
        thorough,
      }) =>
        expectSequencesFollowed(
          { plugin, rules, restart: null, startFresh: null, alone: owned },
          { scenarios: listScenarios, drawn: drawn.onTheTarget * thorough, seed },
        ),
    },
  ),
  ...checks(
    { ...writing, needs: ['launch', 'rules-file'], copies: true, tolerates: ['rejection'] },
    'plugin.persist.list',
    {
      'CT-982 Random sequences of changes leave the same list with restarts in between as without': async (session) => {
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
  ),
]
