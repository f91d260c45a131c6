import { copyOf } from '../../model/copy-syntax.ts'
import { listScenarios, restartScenarios } from '../../sequences/commands.ts'
import { expectSequences, mostWritesOf } from '../../sequences/follow.ts'
import { growList } from '../../session/fill.ts'
import { expectKept } from '../../session/list-changes.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import { expectChangesAfterRejection, expectEveryOperation } from './every-operation.ts'
import { checks, exclusive, ownServer, serverChecks, writing } from './scopes.ts'

/** Enough rules for a list of more than 64 KiB, and for indices of more than one byte. */
const many = 700

async function launchWithMany({ launch }: Session): Promise<LaunchedServer> {
  const server = await launch({ capacity: many + 10 })
  const { list, errorResponse } = await growList(server, { before: [], most: many })
  // If the capacity is smaller, makes room for the rules that the check adds.
  if (errorResponse !== null) for (const rule of list.slice(-2).toReversed()) await server.plugin.remove(rule.index)
  return server
}

async function empty({ rules }: LaunchedServer): Promise<void> {
  for (const rule of await rules.arrange(3)) await rules.remove(rule)
}

const afterwards = (arrange: (server: LaunchedServer) => Promise<unknown>) => async (server: LaunchedServer) => {
  await arrange(server)
  await expectEveryOperation(server)
}

/** The number of random sequences in an ordinary run. */
const drawn = { onTheTarget: 2, onOwnServer: 4 } as const

const onTheTarget = {
  ...writing,
  mostWrites: (thorough: number) => mostWritesOf({ scenarios: listScenarios, drawn: drawn.onTheTarget * thorough }),
  tolerates: ['no effect', 'rejection'],
} as const
const onOwnServer = { ...writing, needs: ['launch', 'rules-file'], copies: true, tolerates: ['rejection'] } as const

/** Sequences of requests, and every kind of request in every state of the list. The list must follow clause 4.2. */
export const sequenceChecks = [
  ...checks(onTheTarget, 'plugin.sequence.list', {
    'CT-981 Random sequences of POST, DELETE, GET and rejected requests leave the expected list': async (session) => {
      const { plugin, rules, owned, seed, thorough } = session
      const server = { plugin, rules, restart: null, startFresh: null, alone: owned }
      await expectSequences(server, { scenarios: listScenarios, drawn: drawn.onTheTarget * thorough, seed })
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
      const size = { scenarios: restartScenarios, drawn: drawn.onOwnServer * thorough, seed }
      await expectSequences({ ...server, startFresh, alone: true }, size)
    },
  }),
  ...serverChecks(ownServer, 'plugin.sequence.states', {
    'CT-983 Every kind of request gets the correct response when the list is empty after the first start':
      expectEveryOperation,
    'CT-984 Every kind of request gets the correct response when the list became empty by DELETE': afterwards(empty),
    'CT-985 Every kind of request gets the correct response when the list holds one rule': afterwards(({ rules }) =>
      rules.arrange(1),
    ),
    'CT-986 Every kind of request gets the correct response when the list was loaded from the rules file': afterwards(
      async ({ rules, restart }) => {
        // Three remain when the first one is removed, so that their order shows.
        await rules.arrange(4)
        await restart()
      },
    ),
    'CT-987 Every kind of request gets the correct response when the list was loaded from an empty rules file':
      afterwards(async (server) => {
        await empty(server)
        await server.restart()
      }),
  }),
  ...checks({ ...ownServer, copies: true }, 'plugin.sequence.states', {
    'CT-988 Every kind of request gets the correct response when the list was loaded from Copy_N': async (session) => {
      const { launch, rules } = session
      const copy = copyOf(session, { Copy_1: rules.draft(), Copy_2: rules.draft() })
      await expectEveryOperation(await launch({ copy }))
    },
  }),
  ...checks({ ...ownServer, ...exclusive, mostWrites: () => many + 80 }, 'plugin.sequence.states', {
    'CT-989 Every kind of request gets the correct response with 700 rules, or as many as fit, which all survive a restart':
      async (session) => {
        const { plugin, rules, restart } = await launchWithMany(session)
        await expectEveryOperation({ plugin, rules })
        await expectKept(rules, restart, 'list.changed-after-restart')
      },
  }),
  ...serverChecks(ownServer, 'plugin.sequence.list', {
    'CT-990 A rule can be added and removed after each kind of rejected request': async (server) => {
      await server.rules.arrange(2)
      await expectChangesAfterRejection(server)
    },
  }),
]
