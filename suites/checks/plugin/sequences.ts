import { expectSequencesFollowed, mostWritesOf } from '../../sequences/follow.ts'
import { listScenarios, restartScenarios } from '../../sequences/scenarios.ts'
import { type Check, checks } from '../../session/check.ts'
import { copyOf } from './copy-parameters.ts'
import { writing } from './scopes.ts'

/** The number of random sequences in an ordinary run. */
const drawn = { onTheTarget: 2, onOwnServer: 4 } as const

const onTheTarget = {
  ...writing,
  mostWrites: (thorough: number) => mostWritesOf({ scenarios: listScenarios, drawn: drawn.onTheTarget * thorough }),
  tolerates: ['no effect', 'rejection'],
} as const
const onOwnServer = { ...writing, needs: ['launch', 'rules-file'], copies: true, tolerates: ['rejection'] } as const

/** Fixed and random sequences of requests: the list must be as the rules of clause 4.2 say. */
export const sequenceChecks: readonly Check[] = [
  ...checks(onTheTarget, 'plugin.sequence.list', {
    'CT-981 Random sequences of POST, DELETE, GET and rejected requests leave the expected list': async ({
      plugin,
      rules,
      owned,
      seed,
      thorough,
    }) => {
      const server = { plugin, rules, restart: null, startFresh: null, alone: owned }
      const extent = { scenarios: listScenarios, drawn: drawn.onTheTarget * thorough, seed }
      await expectSequencesFollowed(server, extent)
    },
  }),
  ...checks(onOwnServer, 'plugin.persist.list', {
    'CT-982 Random sequences of changes leave the same list with restarts in between as without': async (session) => {
      const { prepare, rules, seed, thorough } = session
      const server = await prepare({ copy: copyOf(session, { Copy_1: rules.draft() }) })
      const startFresh = async () => {
        await server.stop()
        await server.deleteRulesFile()
        await server.start()
      }
      const extent = { scenarios: restartScenarios, drawn: drawn.onOwnServer * thorough, seed }
      await expectSequencesFollowed({ ...server, startFresh, alone: true }, extent)
    },
  }),
]
