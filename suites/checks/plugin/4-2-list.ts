import { expectEqual, expectExactly, expectObject, expectStatus, expectThat } from '../../assertions/expect.ts'
import { sameContent } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Plugin } from '../../session/plugin.ts'
import { rulesIn } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { ownServer } from './scopes.ts'

/** `total` and the number of rules of the same response. */
async function readTotal(plugin: Plugin): Promise<{ total: unknown; length: number }> {
  const response = await plugin.list()
  const { length } = rulesIn(response)
  return { total: expectObject(response).total, length }
}

async function expectEmpty(plugin: Plugin): Promise<void> {
  const { rules, total } = expectObject(await plugin.list())
  expectEqual('list.not-empty', rules, [])
  expectEqual('list.total-wrong', total, 0)
}

/** Adds `count` rules; each is listed exactly once. */
async function expectEachListed({ plugin, rules }: Pick<Session, 'plugin' | 'rules'>, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, () => rules.draft())
  for (const draft of drafts) expectStatus(await plugin.add(draft), 201)
  const list = await rules.read()
  for (const draft of drafts) rules.find(list, draft)
}

/** Clause 4.2: GET /api/rules. */
export const listChecks: readonly Check[] = [
  {
    id: 'CT-301',
    requirement: 'plugin.list.ok',
    title: 'GET /api/rules returns 200 with an array rules and an integer total',
    risk: 'read',
    async run({ plugin }) {
      const response = await plugin.list()
      expectStatus(response, 200)
      const { rules, total } = expectObject(response)
      expectThat(Array.isArray(rules), 'list.rules-not-array', { actual: rules })
      expectThat(Number.isInteger(total), 'list.total-not-integer', { actual: total })
    },
  },
  {
    id: 'CT-302',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules returns total equal to the number of listed rules',
    risk: 'read',
    async run({ plugin }) {
      const { total, length } = await readTotal(plugin)
      expectEqual('list.total-wrong', total, length)
    },
  },
  {
    id: 'CT-303',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules returns the correct total after each of three POSTs and three DELETEs',
    risk: 'write',
    async run({ plugin, rules }) {
      const before = (await rules.read()).length
      const drafts = [rules.draft(), rules.draft(), rules.draft()]
      for (const [i, draft] of drafts.entries()) {
        expectStatus(await plugin.add(draft), 201)
        expectEqual('list.total-wrong-after-add', (await readTotal(plugin)).total, before + i + 1)
      }
      for (const [i, draft] of drafts.entries()) {
        expectStatus(await rules.remove(draft), 200)
        expectEqual('list.total-wrong-after-delete', (await readTotal(plugin)).total, before + 2 - i)
      }
    },
  },
  {
    id: 'CT-304',
    requirement: 'plugin.list.all-active',
    title: 'GET /api/rules lists each of eight added rules exactly once',
    risk: 'write',
    run: (session) => expectEachListed(session, 8),
  },
  {
    id: 'CT-310',
    requirement: 'plugin.list.all-active',
    title: 'GET /api/rules lists each of eleven added rules and returns total 11',
    ...ownServer,
    async run({ launch }) {
      const server = await launch()
      await expectEachListed(server, 11)
      expectEqual('list.total-wrong', expectObject(await server.plugin.list()).total, 11)
    },
  },
  {
    id: 'CT-305',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules on a server without rules returns an empty list and total 0',
    ...ownServer,
    async run({ launch }) {
      await expectEmpty((await launch()).plugin)
    },
  },
  {
    id: 'CT-306',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules returns an empty list and total 0 after DELETE of the only rule',
    ...ownServer,
    async run({ launch }) {
      const server = await launch()
      const [only] = await server.rules.arrange(1)
      expectStatus(await server.rules.remove(only), 200)
      await expectEmpty(server.plugin)
    },
  },
  {
    id: 'CT-307',
    requirement: 'plugin.list.mode-normalised',
    title: 'GET /api/rules lists a rule that was added with mode multiplier as mult',
    risk: 'write',
    async run({ plugin, rules }) {
      const draft = rules.draft({ mode: 'multiplier' })
      expectStatus(await plugin.add(draft), 201)
      const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
      expectExactly('rule.mode-changed', listed?.mode, 'mult')
    },
  },
  {
    id: 'CT-309',
    requirement: 'plugin.list.all-active',
    title: 'GET /api/rules still lists existing rules after another rule is added and removed',
    risk: 'write',
    async run({ rules }) {
      const before = await rules.read()
      const [added] = await rules.arrange(1)
      expectStatus(await rules.remove(added), 200)
      const after = await rules.read()
      for (const rule of before) {
        expectThat(
          after.some((other) => sameContent(other, rule)),
          'list.rule-lost',
          {
            expected: String(rule.follower),
            actual: after.map(({ follower }) => String(follower)),
            difference: null,
          },
        )
      }
    },
  },
]
