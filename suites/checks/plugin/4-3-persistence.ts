import {
  expectContents,
  expectEqual,
  expectObject,
  expectStatus,
  expectThat,
  expectUnchanged,
} from '../../assertions/expect.ts'
import type { Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { rulesIn } from '../../session/rules.ts'

/** All of them hold next to rules of others too, so none needs a list of its own. */
const needs = ['restart'] as const

/** Clause 4.3 rule 1: rules added or removed through the API are saved. */
export const persistenceChecks: readonly Check[] = [
  {
    id: 'CT-601',
    requirement: 'plugin.persist.added',
    title: 'three rules that were added are there after a stop and a start',
    risk: 'write',
    needs,
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
    title: 'total is the number of listed rules after a start from the file too',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      const answer = await server.plugin.list()
      expectEqual('total', expectObject(answer).total, rulesIn(answer).length)
    },
  },
  {
    id: 'CT-611',
    requirement: 'plugin.status.rules-loaded-is-total',
    title: 'rules_loaded is the number of listed rules after a start from the file too',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      expectEqual(
        'rules_loaded',
        expectObject(await server.plugin.status()).rules_loaded,
        (await server.rules.read()).length,
      )
    },
  },
  {
    id: 'CT-612',
    requirement: 'plugin.persist.contents',
    title:
      'a login above 2^32 and values of six digits, where they are accepted, are the same after a stop and a start',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      await rules.arrange(1)
      await plugin.add(rules.draft({ master: 4_294_968_297 }))
      await plugin.add(rules.draft({ value: 0.000123456 }))
      await plugin.add(rules.draft({ value: 1234560 }))
      const before = await rules.read()
      await server.restart()
      expectContents(await rules.read(), before)
    },
  },
  {
    id: 'CT-633',
    requirement: 'plugin.rule.value-double-precision',
    title: 'values with more digits than a 32-bit float has are the same after a stop and a start',
    risk: 'write',
    needs,
    async run({ launch }) {
      const { rules, restart } = await launch({ list: 'any' })
      const drafts = [1.23456789, 16777217, 1234567.5].map((value) => rules.draft({ value }))
      const added = await rules.arrange(drafts)
      const valuesIn = (list: readonly Rule[]) => added.map((rule) => rules.find(list, rule).value)
      const before = valuesIn(await rules.read())
      await restart()
      expectEqual('the values', valuesIn(await rules.read()), before)
    },
  },
  {
    id: 'CT-602',
    requirement: 'plugin.persist.removed',
    title: 'a rule that was removed from the middle is still gone after a stop and a start, and the others are there',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [, middle] = await server.rules.arrange(3)
      expectStatus(await server.rules.remove(middle), 200)
      const before = await server.rules.read()
      await server.restart()
      expectContents(await server.rules.read(), before)
    },
  },
  {
    id: 'CT-603',
    requirement: 'plugin.persist.removed',
    title: 'rules that were saved by one life of the server and removed in the next are gone in the third',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [first, , last] = await server.rules.arrange(3)
      await server.restart()
      expectStatus(await server.rules.remove(last), 200)
      expectStatus(await server.rules.remove(first), 200)
      const before = await server.rules.read()
      await server.restart()
      expectContents(await server.rules.read(), before)
    },
  },
  {
    id: 'CT-604',
    requirement: 'plugin.persist.contents',
    title: 'rules of every mode and direction, one of them added as multiplier, are the same after a stop and a start',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules } = server
      await rules.arrange([
        rules.draft({ mode: 'mult', direction: 'same', value: 0.01 }),
        rules.draft({ mode: 'fixed', direction: 'reverse', value: 1234.5 }),
        rules.draft({ mode: 'multiplier', direction: 'reverse', value: 3.14151 }),
        rules.draft({ mode: 'fixed', direction: 'same', value: 0.1 }),
      ])
      const before = await rules.read()
      await server.restart()
      expectContents(await rules.read(), before)
    },
  },
  {
    id: 'CT-605',
    requirement: 'plugin.persist.order',
    title: 'the order and the indices of six rules, two of them removed, are the same after a stop and a start',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const others = (await server.rules.read()).length
      const [one, two, three, four, five, six] = Array.from({ length: 6 }, () => server.rules.draft())
      // Neither rising nor falling, so that no order but the one of the list can be taken for it.
      const mixed = [four, one, six, two, five, three].filter((draft) => draft !== undefined)
      const own = await server.rules.arrange(mixed)
      for (const rule of [own[1], own[4]]) if (rule) expectStatus(await server.rules.remove(rule), 200)
      const before = await server.rules.read()
      expectEqual('the number of rules', before.length, others + 4)
      await server.restart()
      expectUnchanged(await server.rules.read(), before)
    },
  },
  {
    id: 'CT-606',
    requirement: 'plugin.persist.file-name',
    title: 'a rules file of the documented name appears when a rule is added',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    async run({ launch }) {
      const server = await launch()
      await server.rules.arrange(1)
      await server.stop()
      expectThat(await server.hasRulesFile(), 'there is no rules file', {
        expected: 'ServiceCopyTrade_rules.dat in the data folder',
        actual: 'no such file',
      })
    },
  },
  {
    id: 'CT-607',
    requirement: 'plugin.persist.changes-after-start',
    title: 'changes of the second life are there in the third, next to those of the first',
    risk: 'write',
    needs,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const [gone, kept] = await server.rules.arrange(2)
      await server.restart()
      const [added] = await server.rules.arrange(1)
      expectStatus(await server.rules.remove(gone), 200)
      const before = await server.rules.read()
      await server.restart()
      const after = await server.rules.read()
      expectUnchanged(after, before)
      for (const rule of [kept, added]) server.rules.find(after, rule)
    },
  },
  {
    id: 'CT-608',
    requirement: 'plugin.persist.added-survives-crash',
    title: 'four rules, each acknowledged right before the process is killed, are there afterwards',
    risk: 'write',
    needs: ['launch', 'crash'],
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
    requirement: 'plugin.persist.removed-survives-crash',
    title: 'rules whose removal was acknowledged right before the process is killed are still gone',
    risk: 'write',
    needs: ['launch', 'crash'],
    async run({ launch }) {
      const server = await launch()
      const own = await server.rules.arrange(5)
      for (const removed of [own.slice(0, 1), own.slice(1, 3), own.slice(3, 4)]) {
        for (const rule of removed) expectStatus(await server.rules.remove(rule), 200)
        const before = await server.rules.read()
        await server.crash()
        await server.start()
        expectContents(await server.rules.read(), before)
      }
    },
  },
]
