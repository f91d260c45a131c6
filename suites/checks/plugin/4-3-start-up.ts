import { expectEqual, expectStatus, expectThat } from '../../assertions/expect.ts'
import { contentLine, copyParameter, type Draft } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Rules } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/servers.ts'

const needs = ['launch'] as const
const needsDeletion = ['launch', 'delete-rules-file'] as const

/** The rules of a list without indices, in a fixed order: where a rule stands is not judged here. */
async function contents(server: LaunchedServer): Promise<readonly string[]> {
  return (await server.rules.read()).map(contentLine).toSorted()
}

/** Two rules of the kit's own and the parameters that make them. */
function twoCopied({ draft }: Rules) {
  const first = draft({ mode: 'mult', value: 1.5, direction: 'same' })
  const second = draft({ mode: 'fixed', value: 0.25, direction: 'reverse' })
  return { first, second, both: linesOf(first, second), copy: copyOf({ Copy_1: first, Copy_2: second }) }
}

function copyOf(rules: Readonly<Record<string, Draft>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, copyParameter(rule)]))
}

/** These rules as `contents` shows them. */
function linesOf(...rules: readonly Draft[]): readonly string[] {
  return rules.map(contentLine).toSorted()
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
    requirement: 'plugin.start.nothing',
    title: 'A start without a rules file and without Copy_N leaves the list empty',
    risk: 'write',
    needs,
    async run({ launch }) {
      expectEqual('start.rules-wrong', await contents(await launch({ list: 'fresh' })), [])
    },
  },
  {
    id: 'CT-622',
    requirement: 'plugin.start.parameters',
    title: 'A start without a rules file loads the rules of Copy_1 and Copy_2',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const { copy, both } = twoCopied(rules)
      expectEqual('start.rules-wrong', await contents(await launch({ copy })), both)
    },
  },
  {
    id: 'CT-623',
    requirement: 'plugin.start.file-alone',
    title: 'A start with a rules file and without Copy_N loads the rules of the file',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch()
      const added = await server.rules.arrange(2)
      await server.restart()
      expectEqual('start.rules-wrong', await contents(server), linesOf(...added))
    },
  },
  {
    id: 'CT-624',
    requirement: 'plugin.start.file-wins',
    title: 'A start with a rules file and with Copy_N loads only the rules of the file',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const server = await launch()
      const added = await server.rules.arrange(2)
      await server.stop()
      await server.configure({ copy: twoCopied(rules).copy })
      await server.start()
      expectEqual('start.rules-wrong', await contents(server), linesOf(...added))
    },
  },
  {
    id: 'CT-625',
    requirement: 'plugin.start.file-wins',
    title: 'A Copy_N rule that was removed through the API does not come back after a restart',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const { copy, first, second } = twoCopied(rules)
      const server = await launch({ copy })
      await removeByLogins(server, first)
      await server.restart()
      expectEqual('start.rules-wrong', await contents(server), linesOf(second))
    },
  },
  {
    id: 'CT-626',
    requirement: 'plugin.start.empty-file-wins',
    title: 'A start with Copy_N and a rules file that holds zero rules leaves the list empty',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const { copy, first, second } = twoCopied(rules)
      const server = await launch({ copy })
      for (const rule of [first, second]) await removeByLogins(server, rule)
      await server.restart()
      expectEqual('start.rules-wrong', await contents(server), [])
    },
  },
  {
    id: 'CT-627',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads Copy_1, Copy_3 and Copy_40 despite the gaps between the numbers',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const copied = {
        Copy_1: rules.draft({ mode: 'mult', value: 1, direction: 'same' }),
        Copy_3: rules.draft({ mode: 'fixed', value: 2, direction: 'same' }),
        Copy_40: rules.draft({ mode: 'mult', value: 3, direction: 'reverse' }),
      }
      const server = await launch({ copy: copyOf(copied) })
      expectEqual('start.rules-wrong', await contents(server), linesOf(...Object.values(copied)))
    },
  },
  {
    id: 'CT-628',
    requirement: 'plugin.start.all-parameters',
    title: 'A start loads Copy_0 like any other Copy_N parameter',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const copied = { Copy_0: rules.draft(), Copy_1: rules.draft() }
      const server = await launch({ copy: copyOf(copied) })
      expectEqual('start.rules-wrong', await contents(server), linesOf(...Object.values(copied)))
    },
  },
  {
    id: 'CT-629',
    requirement: 'plugin.start.parameters-can-be-changed',
    title: 'Additions to and removals from the Copy_N rules survive a restart',
    risk: 'write',
    needs,
    async run({ launch, rules }) {
      const { copy, first, second } = twoCopied(rules)
      const server = await launch({ copy })
      const [added] = await server.rules.arrange(1)
      await removeByLogins(server, second)
      const expected = linesOf(first, added)
      expectEqual('start.rules-wrong-before-restart', await contents(server), expected)
      await server.restart()
      expectEqual('start.rules-wrong', await contents(server), expected)
    },
  },
  {
    id: 'CT-630',
    requirement: 'plugin.start.reset',
    title: 'A start loads the Copy_N rules if the rules file was deleted while the server was stopped',
    risk: 'write',
    needs: needsDeletion,
    async run({ launch, rules }) {
      const { copy, both } = twoCopied(rules)
      const server = await launch({ copy })
      await server.rules.arrange(2)
      await server.stop()
      await server.deleteRulesFile()
      await server.start()
      expectEqual('start.rules-wrong', await contents(server), both)
    },
  },
  {
    id: 'CT-631',
    requirement: 'plugin.start.file-not-written-back',
    title: 'A rules file that is deleted while the server runs is not written back when the server stops',
    risk: 'write',
    needs: ['launch', 'delete-rules-file', 'rules-file'],
    async run({ launch, rules }) {
      const { copy, both } = twoCopied(rules)
      const server = await launch({ copy })
      await server.rules.arrange(2)
      await server.deleteRulesFile()
      await server.stop()
      expectThat(!(await server.hasRulesFile()), 'rules-file.written-back', {})
      await server.start()
      expectEqual('start.rules-wrong', await contents(server), both)
    },
  },
  {
    id: 'CT-632',
    requirement: 'plugin.start.file-not-written-back',
    title: 'A restart loads the Copy_N rules if the rules file was deleted while the server was running',
    risk: 'write',
    needs: needsDeletion,
    async run({ launch, rules }) {
      const { copy, both } = twoCopied(rules)
      const server = await launch({ copy })
      await server.rules.arrange(2)
      await server.deleteRulesFile()
      await server.restart()
      expectEqual('start.rules-wrong', await contents(server), both)
    },
  },
]
