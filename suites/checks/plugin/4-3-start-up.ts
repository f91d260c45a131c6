import { expectEqual, expectStatus, expectThat } from '../../assertions/expect.ts'
import { NotApplicable } from '../../assertions/failure.ts'
import { copyValue, takesFollowers } from '../../model/copy-syntax.ts'
import { contentLine, type Draft } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'
import { copyOf } from './copy-parameters.ts'
import { ownServer } from './scopes.ts'

/** A server of the kit's own that loads rules from `Copy_N`. */
const withCopies = { ...ownServer, copies: true } as const

/** The list holds these rules; their indices and order are not judged here. */
async function expectRules(
  { rules }: LaunchedServer,
  expected: readonly Draft[],
  code: 'start.rules-wrong' | 'start.rules-wrong-before-restart' = 'start.rules-wrong',
): Promise<void> {
  const lines = (list: readonly Draft[]) => list.map(contentLine).toSorted()
  expectEqual(code, lines(await rules.read()), lines(expected))
}

/** Two rules and the parameters that create them. */
function twoCopied(session: Session) {
  const { draft } = session.rules
  const first = draft({ mode: 'mult', value: 1.5, direction: 'same' })
  const second = draft({ mode: 'fixed', value: 0.25, direction: 'reverse' })
  return { first, second, copy: copyOf(session, { Copy_1: first, Copy_2: second }) }
}

/** Starts a server with two `Copy_N` rules and adds two more. */
async function launchWithTwoMore(session: Session) {
  const { copy, first, second } = twoCopied(session)
  const server = await session.launch({ copy })
  await server.rules.arrange(2)
  return { server, copied: [first, second] }
}

/** Deletes the rule with these logins by the index that a fresh list shows. */
async function removeByLogins({ rules, plugin }: LaunchedServer, { follower, master }: Draft): Promise<void> {
  const listed = (await rules.read()).find((rule) => rule.follower === follower && rule.master === master)
  expectStatus(await plugin.remove(listed?.index ?? 'none'), 200)
}

/** Clause 4.3 rules 2 and 3: which rules a server starts with. */
export const startUpChecks: readonly Check[] = [
  {
    id: 'CT-621',
    requirement: 'plugin.start.parameters',
    title: 'A start without a rules file and without Copy_N leaves the list empty',
    ...ownServer,
    async run({ launch }) {
      await expectRules(await launch({ list: 'fresh' }), [])
    },
  },
  {
    id: 'CT-622',
    requirement: 'plugin.start.parameters',
    title: 'A start without a rules file loads the rules of Copy_1 and Copy_2',
    ...withCopies,
    async run(session) {
      const { copy, first, second } = twoCopied(session)
      await expectRules(await session.launch({ copy }), [first, second])
    },
  },
  {
    id: 'CT-623',
    requirement: 'plugin.start.file-wins',
    title: 'A start with a rules file and without Copy_N loads the rules of the file',
    ...ownServer,
    async run({ launch }) {
      const server = await launch()
      const added = await server.rules.arrange(2)
      await server.restart()
      await expectRules(server, added)
    },
  },
  {
    id: 'CT-624',
    requirement: 'plugin.start.file-wins',
    title: 'A start with a rules file and with Copy_N loads only the rules of the file',
    ...withCopies,
    async run(session) {
      const server = await session.launch()
      const added = await server.rules.arrange(2)
      await server.stop()
      await server.configure({ copy: twoCopied(session).copy })
      await server.start()
      await expectRules(server, added)
    },
  },
  {
    id: 'CT-625',
    requirement: 'plugin.start.file-wins',
    title: 'A Copy_N rule that was removed through the API does not come back after a restart',
    ...withCopies,
    async run(session) {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      await removeByLogins(server, first)
      await server.restart()
      await expectRules(server, [second])
    },
  },
  {
    id: 'CT-626',
    requirement: 'plugin.start.file-wins',
    title: 'A start with Copy_N and a rules file that holds zero rules leaves the list empty',
    ...withCopies,
    async run(session) {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      for (const rule of [first, second]) await removeByLogins(server, rule)
      await server.restart()
      await expectRules(server, [])
    },
  },
  {
    id: 'CT-627',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads Copy_1, Copy_3 and Copy_40 despite the gaps between the numbers',
    ...withCopies,
    async run(session) {
      const copied = {
        Copy_1: session.rules.draft({ mode: 'mult', value: 1, direction: 'same' }),
        Copy_3: session.rules.draft({ mode: 'fixed', value: 2, direction: 'same' }),
        Copy_40: session.rules.draft({ mode: 'mult', value: 3, direction: 'reverse' }),
      }
      const server = await session.launch({ copy: copyOf(session, copied) })
      await expectRules(server, Object.values(copied))
    },
  },
  {
    id: 'CT-628',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads Copy_0 like any other Copy_N parameter',
    ...withCopies,
    async run(session) {
      const copied = { Copy_0: session.rules.draft(), Copy_1: session.rules.draft() }
      const server = await session.launch({ copy: copyOf(session, copied) })
      await expectRules(server, Object.values(copied))
    },
  },
  {
    id: 'CT-647',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads one rule for each of three followers in Copy_1',
    ...withCopies,
    async run(session) {
      const { copySyntax, rules } = session
      if (!takesFollowers(copySyntax)) throw new NotApplicable('a Copy_N value has one follower in the stated syntax')
      const [first, second, third] = [rules.draft(), rules.draft(), rules.draft()]
      const Copy_1 = copyValue(copySyntax, first, second.follower, third.follower)
      const followers = [first, second, third].map(({ follower }) => ({ ...first, follower }))
      await expectRules(await session.launch({ copy: { Copy_1 } }), followers)
    },
  },
  {
    id: 'CT-648',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads Copy_2 and no parameter named Copy_, Copy_x, Copy_2x or Copy2',
    ...withCopies,
    async run(session) {
      const { draft } = session.rules
      const loaded = { Copy_2: draft() }
      const others = { Copy_: draft(), Copy_x: draft(), Copy_2x: draft(), Copy2: draft() }
      await expectRules(await session.launch({ copy: copyOf(session, { ...loaded, ...others }) }), [loaded.Copy_2])
    },
  },
  {
    id: 'CT-629',
    requirement: 'plugin.start.parameters-can-be-changed',
    title: 'Additions to and removals from the Copy_N rules survive a restart',
    ...withCopies,
    async run(session) {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      const [added] = await server.rules.arrange(1)
      await removeByLogins(server, second)
      const expected = [first, added]
      await expectRules(server, expected, 'start.rules-wrong-before-restart')
      await server.restart()
      await expectRules(server, expected)
    },
  },
  {
    id: 'CT-630',
    requirement: 'plugin.start.reset',
    title: 'A start loads the Copy_N rules if the rules file was deleted while the server was stopped',
    risk: 'write',
    copies: true,
    needs: ['launch', 'delete-rules-file'],
    async run(session) {
      const { server, copied } = await launchWithTwoMore(session)
      await server.stop()
      await server.deleteRulesFile()
      await server.start()
      await expectRules(server, copied)
      // A start that loads the file must leave no copy of it behind.
      await server.rules.arrange(1)
      await server.restart()
      await server.stop()
      await server.deleteRulesFile()
      await server.start()
      await expectRules(server, copied)
    },
  },
  {
    id: 'CT-631',
    requirement: 'plugin.start.reset',
    title: 'A rules file that is deleted while the server runs is not written back when the server stops',
    risk: 'write',
    copies: true,
    needs: ['launch', 'delete-rules-file', 'rules-file'],
    async run(session) {
      const { server, copied } = await launchWithTwoMore(session)
      await server.deleteRulesFile()
      await server.stop()
      expectThat(!(await server.hasRulesFile()), 'rules-file.written-back', {})
      await server.start()
      await expectRules(server, copied)
    },
  },
  {
    id: 'CT-632',
    requirement: 'plugin.start.reset',
    title: 'A restart loads the Copy_N rules if the rules file was deleted while the server was running',
    risk: 'write',
    copies: true,
    needs: ['launch', 'delete-rules-file'],
    async run(session) {
      const { server, copied } = await launchWithTwoMore(session)
      await server.deleteRulesFile()
      await server.restart()
      await expectRules(server, copied)
    },
  },
]
