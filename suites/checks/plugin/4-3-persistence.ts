import {
  expectContents,
  expectEqual,
  expectExactly,
  expectObject,
  expectStatus,
  expectThat,
  expectUnchanged,
} from '../../assertions/expect.ts'
import type { Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { requestsToReject } from '../../session/harmless-requests.ts'
import { rulesIn } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/servers.ts'

/** These checks allow foreign rules in the list, so a server that can be restarted is enough. */
const restarting = { risk: 'write', needs: ['restart'] } as const
const crashing = { risk: 'write', needs: ['launch', 'crash'] } as const

/** The rules and their order are the same after a stop and a start; indices are not compared. */
async function expectKept({ rules, restart }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  await restart()
  expectContents(await rules.read(), before, 'list.changed-after-restart')
}

/** Logins that need more than 32 bits, and more than a double. */
const largeLogins = [4_294_968_297, 9_007_199_254_740_993n]

/** Many digits, and values that are written with an exponent. A server may reject them. */
const extremeValues = [0.000123456, 1234560, 0.0000123456, 1.23456e-9, 9_876_540_000, 1.23456e16]

/** Clause 4.3 rule 1: rules added or removed through the API are saved. */
export const persistenceChecks: readonly Check[] = [
  {
    id: 'CT-601',
    requirement: 'plugin.persist.list',
    title: 'Three added rules survive a stop and a start',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const added = await server.rules.arrange(3)
      await server.restart()
      const list = await server.rules.read()
      for (const rule of added) server.rules.find(list, rule)
    },
  },
  {
    id: 'CT-610',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules returns the correct total after a start from the rules file',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      const response = await server.plugin.list()
      expectEqual('list.total-wrong', expectObject(response).total, rulesIn(response).length)
    },
  },
  {
    id: 'CT-611',
    requirement: 'plugin.status.rules-loaded-is-total',
    title: 'GET /api/status returns the correct rules_loaded after a start from the rules file',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      expectEqual(
        'status.rules-loaded-wrong',
        expectObject(await server.plugin.status()).rules_loaded,
        (await server.rules.read()).length,
      )
    },
  },
  {
    id: 'CT-612',
    requirement: 'plugin.persist.list',
    title: 'Accepted logins above 2^32 and accepted large and small values survive a stop and a start unchanged',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      await rules.arrange(1)
      for (const login of largeLogins) {
        await plugin.add(rules.draft({ master: login }))
        await plugin.add(rules.draft({ follower: login }))
      }
      for (const value of extremeValues) await plugin.add(rules.draft({ value }))
      await expectKept(server)
    },
  },
  {
    id: 'CT-633',
    requirement: 'plugin.rule.value-double-precision',
    title: 'Values that need more precision than a 32-bit float survive a stop and a start unchanged',
    ...restarting,
    async run({ launch }) {
      const { rules, restart } = await launch({ list: 'any' })
      const drafts = [1.23456789, 16777217, 1234567.5].map((value) => rules.draft({ value }))
      const added = await rules.arrange(drafts)
      const valuesIn = (list: readonly Rule[]) => added.map((rule) => rules.find(list, rule).value)
      const before = valuesIn(await rules.read())
      await restart()
      expectExactly('list.values-changed-after-restart', valuesIn(await rules.read()), before)
    },
  },
  {
    id: 'CT-602',
    requirement: 'plugin.persist.list',
    title: 'A middle rule stays removed after a stop and a start, and all remaining rules stay listed',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [, middle] = await server.rules.arrange(3)
      expectStatus(await server.rules.remove(middle), 200)
      await expectKept(server)
    },
  },
  {
    id: 'CT-603',
    requirement: 'plugin.persist.list',
    title: 'Rules that are removed after a first restart stay removed after a second restart',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [first, , last] = await server.rules.arrange(3)
      await server.restart()
      expectStatus(await server.rules.remove(last), 200)
      expectStatus(await server.rules.remove(first), 200)
      await expectKept(server)
    },
  },
  {
    id: 'CT-604',
    requirement: 'plugin.persist.list',
    title: 'Rules of every mode and direction survive a stop and a start unchanged',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules } = server
      await rules.arrange([
        rules.draft({ mode: 'mult', direction: 'same', value: 0.01 }),
        rules.draft({ mode: 'fixed', direction: 'reverse', value: 1234.5 }),
        rules.draft({ mode: 'multiplier', direction: 'reverse', value: 3.14151 }),
        rules.draft({ mode: 'fixed', direction: 'same', value: 0.1 }),
      ])
      await expectKept(server)
    },
  },
  {
    id: 'CT-605',
    requirement: 'plugin.persist.list',
    title: 'Order and indices survive a stop and a start after two of six rules are removed',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const others = (await server.rules.read()).length
      const own = await server.rules.arrange(6)
      for (const rule of [own[1], own[4]]) if (rule) expectStatus(await server.rules.remove(rule), 200)
      const before = await server.rules.read()
      expectEqual('list.length-wrong', before.length, others + 4)
      await server.restart()
      expectUnchanged(await server.rules.read(), before, 'list.changed-after-restart')
    },
  },
  {
    id: 'CT-613',
    requirement: 'plugin.persist.list',
    title: 'A rule that was rejected is not in the list after a stop and a start, and nothing else has changed',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      const [, rule] = await rules.arrange(3)
      for (const request of requestsToReject(rule, rules.draft)) await plugin.send(request)
      await rules.arrange(1)
      await expectKept(server)
    },
  },
  {
    id: 'CT-614',
    requirement: 'plugin.persist.list',
    title: 'Rules that are added at the same time survive a stop and a start',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      for (let round = 0; round < 3; round += 1) {
        const drafts = Array.from({ length: 8 }, () => rules.draft())
        await Promise.all(drafts.map((draft) => plugin.add(draft)))
        await expectKept(server)
      }
    },
  },
  {
    id: 'CT-606',
    requirement: 'plugin.persist.file-name',
    title: 'POST of a rule creates a rules file named ServiceCopyTrade_rules.dat',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    async run({ launch }) {
      const server = await launch()
      await server.rules.arrange(1)
      await server.stop()
      expectThat(await server.hasRulesFile(), 'rules-file.missing', {})
    },
  },
  {
    id: 'CT-607',
    requirement: 'plugin.persist.list',
    title: 'Changes made before and after a first restart survive a second restart',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [gone, kept] = await server.rules.arrange(2)
      await server.restart()
      const [added] = await server.rules.arrange(1)
      expectStatus(await server.rules.remove(gone), 200)
      const before = await server.rules.read()
      await server.restart()
      const after = await server.rules.read()
      expectUnchanged(after, before, 'list.changed-after-restart')
      for (const rule of [kept, added]) server.rules.find(after, rule)
    },
  },
  {
    id: 'CT-608',
    requirement: 'plugin.persist.survives-crash',
    title: 'Each of four rules survives a kill of the process right after its POST is acknowledged',
    ...crashing,
    async run({ launch }) {
      const server = await launch()
      const acknowledged = []
      for (let round = 0; round < 4; round += 1) {
        const draft = server.rules.draft()
        expectStatus(await server.plugin.add(draft), 201)
        acknowledged.push(draft)
        await server.crash()
        await server.start()
        const list = await server.rules.read()
        for (const rule of acknowledged) server.rules.find(list, rule)
      }
    },
  },
  {
    id: 'CT-609',
    requirement: 'plugin.persist.survives-crash',
    title: 'Rules stay removed when the process is killed right after their DELETE is acknowledged',
    ...crashing,
    async run({ launch }) {
      const server = await launch()
      const own = await server.rules.arrange(5)
      for (const removed of [own.slice(0, 1), own.slice(1, 3), own.slice(3, 4)]) {
        for (const rule of removed) expectStatus(await server.rules.remove(rule), 200)
        const before = await server.rules.read()
        await server.crash()
        await server.start()
        expectContents(await server.rules.read(), before, 'list.changed-after-crash')
      }
    },
  },
]
