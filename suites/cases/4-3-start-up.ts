import type { Check } from '../engine/check.ts'
import type { LaunchedServer } from '../session/servers.ts'
import { expectEqual, expectStatus } from '../vocabulary/expect.ts'
import { type Draft, describeRule } from '../vocabulary/rule.ts'

const needs = ['launch'] as const
const needsFile = ['launch', 'rules-file'] as const

/** The rules of a list without indices, in a fixed order: where a rule stands is not judged here. */
async function contents(server: LaunchedServer): Promise<readonly string[]> {
  return (await server.rules.read()).map(lineOf).toSorted()
}

function lineOf({ master, follower, mode, value, direction }: Draft): string {
  return describeRule({ master, follower, mode, value, direction })
}

/** The two rules of these parameters, as a list shows them. */
const copy = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.25,reverse' }
const copied = ['1001>2001 mult 1.5 same', '1002>2002 fixed 0.25 reverse']

/** Clause 4.3 rules 2 and 3: which rules a server starts with. */
export const startUpChecks: readonly Check[] = [
  {
    id: 'CT-621',
    requirement: 'plugin.start.nothing',
    title: 'without a file and without Copy_N the list is empty',
    risk: 'write',
    needs,
    async run({ launch }) {
      expectEqual('the rules', await contents(await launch()), [])
    },
  },
  {
    id: 'CT-622',
    requirement: 'plugin.start.parameters',
    title: 'without a file the rules are those of Copy_1 and Copy_2',
    risk: 'write',
    needs,
    async run({ launch }) {
      expectEqual('the rules', await contents(await launch({ copy })), copied)
    },
  },
  {
    id: 'CT-623',
    requirement: 'plugin.start.file-alone',
    title: 'with a file and without Copy_N the rules are those of the file',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch()
      const added = await server.rules.arrange(2)
      await server.restart()
      expectEqual('the rules', await contents(server), added.map(lineOf).toSorted())
    },
  },
  {
    id: 'CT-624',
    requirement: 'plugin.start.file-wins',
    title: 'with a file and with Copy_N the rules are those of the file alone',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch()
      const added = await server.rules.arrange(2)
      await server.stop()
      await server.configure({ copy })
      await server.start()
      expectEqual('the rules', await contents(server), added.map(lineOf).toSorted())
    },
  },
  {
    id: 'CT-625',
    requirement: 'plugin.start.file-wins',
    title: 'a rule of Copy_N that was removed through the API does not come back with a restart',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ copy })
      const removed = (await server.rules.read()).find(({ follower }) => follower === 2001)
      expectStatus(await server.plugin.remove(removed?.index ?? 'none'), 200)
      await server.restart()
      expectEqual('the rules', await contents(server), copied.slice(1))
    },
  },
  {
    id: 'CT-626',
    requirement: 'plugin.start.empty-file-wins',
    title: 'a file that holds zero rules, because all were removed, wins over Copy_N',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ copy })
      for (const follower of [2001, 2002]) {
        const rule = (await server.rules.read()).find((listed) => listed.follower === follower)
        expectStatus(await server.plugin.remove(rule?.index ?? 'none'), 200)
      }
      await server.restart()
      expectEqual('the rules', await contents(server), [])
    },
  },
  {
    id: 'CT-627',
    requirement: 'plugin.start.all-parameters',
    title: 'Copy_1, Copy_3 and Copy_40 are all loaded, in spite of the gaps',
    risk: 'write',
    needs,
    async run({ launch }) {
      const parameters = {
        Copy_1: '1001>2001,mult,1,same',
        Copy_3: '1003>2003,fixed,2,same',
        Copy_40: '1040>2040,mult,3,reverse',
      }
      const expected = ['1001>2001 mult 1 same', '1003>2003 fixed 2 same', '1040>2040 mult 3 reverse']
      expectEqual('the rules', await contents(await launch({ copy: parameters })), expected)
    },
  },
  {
    id: 'CT-628',
    requirement: 'plugin.start.all-parameters',
    title: 'Copy_0 is loaded like any other',
    risk: 'write',
    needs,
    async run({ launch }) {
      const parameters = { Copy_0: '1000>2000,mult,1,same', Copy_1: '1001>2001,mult,1,same' }
      const expected = ['1000>2000 mult 1 same', '1001>2001 mult 1 same']
      expectEqual('the rules', await contents(await launch({ copy: parameters })), expected)
    },
  },
  {
    id: 'CT-629',
    requirement: 'plugin.start.parameters-can-be-changed',
    title: 'to rules of Copy_N one is added and one of them removed, and both changes outlive a restart',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ copy })
      const [added] = await server.rules.arrange(1)
      const removed = (await server.rules.read()).find(({ follower }) => follower === 2002)
      expectStatus(await server.plugin.remove(removed?.index ?? 'none'), 200)
      const expected = [...copied.slice(0, 1), lineOf(added)].toSorted()
      expectEqual('the rules before the restart', await contents(server), expected)
      await server.restart()
      expectEqual('the rules after the restart', await contents(server), expected)
    },
  },
  {
    id: 'CT-630',
    requirement: 'plugin.start.reset',
    title: 'after the server is stopped, the file deleted and the server started, the rules are those of Copy_N',
    risk: 'write',
    needs: needsFile,
    async run({ launch }) {
      const server = await launch({ copy })
      await server.rules.arrange(2)
      await server.stop()
      await server.deleteRulesFile()
      await server.start()
      expectEqual('the rules', await contents(server), copied)
    },
  },
  {
    id: 'CT-631',
    requirement: 'plugin.start.file-not-written-back',
    title: 'a file that is deleted while the server runs is not there when the server has stopped',
    risk: 'write',
    needs: needsFile,
    async run({ launch }) {
      const server = await launch({ copy })
      await server.rules.arrange(2)
      await server.deleteRulesFile()
      await server.stop()
      expectEqual('a rules file after the stop', await server.hasRulesFile(), false)
      await server.start()
      expectEqual('the rules', await contents(server), copied)
    },
  },
]
