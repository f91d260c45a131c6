import { type Check, checks } from '../../session/check.ts'
import { growList } from '../../session/grow.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'
import { copyOf } from './copy-parameters.ts'
import { expectChangesAfterRejection, expectEveryOperation } from './every-operation.ts'
import { ownServer } from './scopes.ts'

/** With so many rules the list is longer than 64 KiB, and an index needs more than a byte. */
const many = 700

async function launchWithMany({ launch }: Session): Promise<LaunchedServer> {
  const server = await launch({ capacity: many + 10 })
  const { list, errorResponse } = await growList(server, { before: [], most: many })
  // Room for the rules that the check adds, where the capacity is smaller.
  if (errorResponse !== null) for (const rule of list.slice(-2).toReversed()) await server.plugin.remove(rule.index)
  return server
}

async function launchEmptied({ launch }: Session): Promise<LaunchedServer> {
  const server = await launch()
  for (const rule of await server.rules.arrange(3)) await server.rules.remove(rule)
  return server
}

/** The states of a list, each with a server that is in it. */
const states: readonly (Pick<Check, 'id' | 'risk' | 'mostWrites' | 'copies'> & {
  readonly state: string
  readonly open: (session: Session) => Promise<LaunchedServer>
})[] = [
  { id: 'CT-983', risk: 'write', state: 'is empty after the first start', open: ({ launch }) => launch() },
  { id: 'CT-984', risk: 'write', state: 'became empty by DELETE', open: launchEmptied },
  {
    id: 'CT-985',
    risk: 'write',
    state: 'holds one rule',
    async open({ launch }) {
      const server = await launch()
      await server.rules.arrange(1)
      return server
    },
  },
  {
    id: 'CT-986',
    risk: 'write',
    state: 'was loaded from the rules file',
    async open({ launch }) {
      const server = await launch()
      // Three are left when the first one is removed, so that their order shows.
      await server.rules.arrange(4)
      await server.restart()
      return server
    },
  },
  {
    id: 'CT-987',
    risk: 'write',
    state: 'was loaded from an empty rules file',
    async open(session) {
      const server = await launchEmptied(session)
      await server.restart()
      return server
    },
  },
  {
    id: 'CT-988',
    risk: 'write',
    state: 'was loaded from Copy_N',
    copies: true,
    open(session) {
      const { launch, rules } = session
      return launch({ copy: copyOf(session, { Copy_1: rules.draft(), Copy_2: rules.draft() }) })
    },
  },
  {
    id: 'CT-989',
    risk: 'exclusive',
    mostWrites: () => many + 80,
    state: `holds ${many} rules, or as many as fit`,
    open: launchWithMany,
  },
]

/** Every kind of request in every state of the list. */
export const stateChecks: readonly Check[] = [
  ...states.map(
    ({ state, open, ...head }): Check => ({
      ...head,
      requirement: 'plugin.sequence.states',
      title: `Every kind of request gets the correct response when the list ${state}`,
      needs: ['launch'],
      async run(session) {
        await expectEveryOperation(await open(session))
      },
    }),
  ),
  ...checks(ownServer, 'plugin.sequence.list', {
    'CT-990 A rule can be added and removed after each kind of rejected request': async ({ launch }) => {
      const server = await launch()
      await server.rules.arrange(2)
      await expectChangesAfterRejection(server)
    },
  }),
]
