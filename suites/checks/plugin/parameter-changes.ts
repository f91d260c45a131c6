import { expectEqual, expectStatus } from '../../assertions/expect.ts'
import { contentLine, type Draft } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { keyHeader } from '../../session/plugin.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'
import { expectForms } from './2-3-rule-form.ts'
import { expectDisabled } from './5-key-parameter.ts'
import { copyOf } from './copy-parameters.ts'
import { ownServer } from './scopes.ts'

async function expectLoaded({ rules }: LaunchedServer, expected: readonly Draft[]): Promise<void> {
  const lines = (list: readonly Draft[]) => list.map(contentLine).toSorted()
  expectEqual('start.rules-wrong', lines(await rules.read()), lines(expected))
}

/** Fields of a `Copy_N` value that the API would reject, by the requirement for the listed rule. */
const brokenFields: readonly {
  readonly id: string
  readonly requirement: string
  readonly what: string
  readonly broken: readonly Partial<Draft>[]
}[] = [
  {
    id: 'CT-636',
    requirement: 'plugin.rule.fields',
    what: 'value 0 or a negative value',
    broken: [{ value: 0 }, { value: -1.5 }],
  },
  {
    id: 'CT-637',
    requirement: 'plugin.rule.fields',
    what: 'mode multiplier or an undocumented mode',
    broken: [{ mode: 'multiplier' }, { mode: 'lots' }, { mode: 'Fixed' }],
  },
  {
    id: 'CT-638',
    requirement: 'plugin.rule.fields',
    what: 'an undocumented direction',
    broken: [{ direction: 'both' }, { direction: 'Reverse' }],
  },
]

/**
 * Starts a server with two right `Copy_N` and these. Tells whether it loaded rules: a server may also
 * refuse to start, or load nothing.
 */
async function expectNotListedAsWritten(session: Session, broken: readonly Partial<Draft>[]): Promise<boolean> {
  const { prepare, rules } = session
  const right = { Copy_1: rules.draft(), Copy_9: rules.draft() }
  const others = Object.fromEntries(broken.map((changes, at) => [`Copy_${at + 2}`, rules.draft(changes)]))
  const server = await prepare({ copy: copyOf(session, { ...right, ...others }) })
  if (!(await server.tryStart())) return false
  const list = await server.rules.read()
  expectForms(list)
  const known = new Set(Object.values({ ...right, ...others }).map((draft) => contentLine(asListed(draft))))
  const lines = list.map(contentLine)
  expectEqual(
    'start.rules-wrong',
    lines.filter((line) => !known.has(line)),
    [],
  )
  return lines.length > 0
}

const copyFieldChecks = brokenFields.map(
  ({ id, requirement, what, broken }): Check => ({
    id,
    requirement,
    title: `A start lists no rule of a Copy_N with ${what} in that form`,
    ...ownServer,
    copies: true,
    async run(session) {
      if (await expectNotListedAsWritten(session, broken)) return
      // One of the values may hide what the server does with another one.
      for (const one of broken) await expectNotListedAsWritten(session, [one])
    },
  }),
)

const asListed = (draft: Draft): Draft => (draft.mode === 'multiplier' ? { ...draft, mode: 'mult' } : draft)

/** Clauses 4.3 and 5: what a start reads from the parameters, and what it forgets of earlier ones. */
export const parameterChangeChecks: readonly Check[] = [
  {
    id: 'CT-745',
    requirement: 'plugin.auth.disabled',
    title: 'An earlier key stops working when API_Key is emptied and when another key is set afterwards',
    ...ownServer,
    async run({ launch, newKey }) {
      const [first, second] = [newKey(), newKey()]
      const server = await launch({ apiKey: first })
      expectStatus(await server.plugin.list(), 200)
      await server.stop()
      await server.configure({ apiKey: '' })
      const earlier = [keyHeader(first), keyHeader(first, 'bearer')]
      if (await server.tryStart()) await expectDisabled(server, earlier)
      await server.stop()
      await server.configure({ apiKey: second })
      await server.start()
      expectStatus(await server.withKey(second).list(), 200)
      for (const headers of earlier) expectStatus(await server.plugin.list({ key: null, headers }), 401)
    },
  },
  {
    id: 'CT-635',
    requirement: 'plugin.start.reset',
    title: 'A start without a rules file loads the present Copy_N rules after some were changed, added and removed',
    risk: 'write',
    needs: ['launch', 'delete-rules-file'],
    copies: true,
    async run(session) {
      const { launch, rules } = session
      const [one, two, changed, added] = [rules.draft(), rules.draft(), rules.draft(), rules.draft()]
      const server = await launch({ copy: copyOf(session, { Copy_1: one, Copy_2: two }) })
      await expectLoaded(server, [one, two])
      for (const present of [{ Copy_1: changed, Copy_3: added }, {}]) {
        await server.stop()
        await server.deleteRulesFile()
        await server.configure({ copy: copyOf(session, present) })
        await server.start()
        await expectLoaded(server, Object.values(present))
      }
    },
  },
  ...copyFieldChecks,
]
