import { expectContents, expectEqual } from '../../assertions/expect.ts'
import { sameContent } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import { expectForms } from './2-3-rule-form.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { expectTotal } from './4-2-list.ts'
import { ownServer } from './scopes.ts'

const clients = 6
const rounds = 3

/** A POST may be rejected while others are served, but a 201 adds its rule and names it. */
async function expectAcknowledgedAdded({ plugin, rules }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  const drafts = Array.from({ length: clients }, () => rules.draft())
  const sent = await Promise.all(drafts.map(async (draft) => ({ draft, response: await plugin.add(draft) })))
  const list = await rules.read()
  const acknowledged = sent.filter(({ response }) => response.status === 201)
  for (const { draft, response } of acknowledged) {
    rules.find(list, draft)
    expectCreated(response, draft)
  }
  const others = list.filter((rule) => !acknowledged.some(({ draft }) => sameContent(draft, rule)))
  expectContents(others, before, 'list.others-changed')
}

/** Each DELETE that returns 200 has removed one rule: from one end of the list, since all name the same index. */
async function expectEachRemoved({ plugin, rules }: LaunchedServer, end: 'first' | 'last'): Promise<void> {
  const before = await rules.read()
  const index = before.at(end === 'last' ? -1 : 0)?.index ?? 'none'
  const responses = await Promise.all(Array.from({ length: clients }, () => plugin.remove(index)))
  const list = await rules.read()
  const removed = before.length - list.length
  expectEqual('responses.successes-wrong', responses.filter(({ status }) => status === 200).length, removed)
  const left = end === 'last' ? before.slice(0, list.length) : before.slice(removed)
  expectContents(list, left, 'list.others-changed')
}

/** Clause 4.2: what a server acknowledges is done, also if other clients change the list at the same time. */
export const simultaneousChangeChecks: readonly Check[] = [
  ...checks({ ...ownServer, alone: true, tolerates: ['rejection'] }, 'plugin.add.leaves-others', {
    'CT-956 Of six simultaneous POSTs, each that returns 201 adds exactly its rule and names its logins': async ({
      launch,
    }) => {
      const server = await launch()
      await server.rules.arrange(1)
      for (let round = 0; round < rounds; round += 1) await expectAcknowledgedAdded(server)
    },
  }),
  ...checks({ ...ownServer, alone: true, tolerates: ['no effect', 'rejection'] }, 'plugin.rule.fields', {
    'CT-958 GET /api/rules lists only rules with all fields in their documented form while rules are added': async ({
      launch,
    }) => {
      const { plugin, rules } = await launch()
      const expectSoundLists = async () => {
        for (let reading = 0; reading < 5; reading += 1) expectForms(await rules.read())
      }
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all([plugin.add(rules.draft()), plugin.add(rules.draft()), expectSoundLists()])
      }
    },
  }),
  ...checks(
    { ...ownServer, alone: true, tolerates: ['no effect', 'rejection', 'end of connection'] },
    'plugin.list.total',
    {
      'CT-959 GET /api/rules returns total equal to the number of listed rules while rules are added and removed':
        async ({ launch }) => {
          const { plugin, rules } = await launch()
          const [{ index }] = await rules.arrange(1)
          let isChanging = true
          const change = async () => {
            for (let round = 0; round < 30 && isChanging; round += 1) {
              await plugin.add(rules.draft())
              await plugin.remove(index)
            }
            isChanging = false
          }
          const read = async () => {
            try {
              for (let reading = 0; reading < 200 && isChanging; reading += 1) await expectTotal(plugin)
            } finally {
              isChanging = false
            }
          }
          await Promise.all([change(), read(), read()])
        },
    },
  ),
  ...checks({ ...ownServer, alone: true, tolerates: ['rejection'] }, 'plugin.delete.keeps-order', {
    'CT-957 Of six simultaneous DELETEs of one index, each that returns 200 removes one rule': async ({ launch }) => {
      const server = await launch()
      // Of the eight, some are left in the end.
      for (const length of [1, 3, 8]) {
        for (const end of ['last', 'first'] as const) {
          const { length: present } = await server.rules.read()
          await server.rules.arrange(Math.max(0, length - present))
          await expectEachRemoved(server, end)
        }
      }
    },
  }),
]
