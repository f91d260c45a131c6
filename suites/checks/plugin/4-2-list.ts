import {
  expectEqual,
  expectExactly,
  expectExactStatus,
  expectObject,
  expectStatus,
  expectThat,
  expectUnchanged,
} from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { type Draft, haveSameLogins } from '../../model/rule.ts'
import { isAccepted, requireRemoved, rulesIn } from '../../session/rules.ts'
import {
  additionsAndRemovals,
  around,
  draftIn,
  eightAdditions,
  judgeEach,
  sendChanges,
} from '../../session/shared-requests.ts'
import { checks, ownServer, reading, serverChecks, writing } from './scopes.ts'

export function expectTotal(response: HttpResponse): void {
  const { length } = rulesIn(response)
  expectEqual('list.total-wrong', expectObject(response).total, length)
}

/** Clause 4.2: GET /api/rules. */
export const listChecks = [
  ...checks(reading, 'plugin.list.ok', {
    'CT-301 GET /api/rules returns an array rules and an integer total, also to a client that accepts HTML besides JSON':
      async ({ plugin }) => {
        const response = await plugin.list()
        expectExactStatus(response, 200)
        const list = rulesIn(response)
        const { total } = expectObject(response)
        expectThat(Number.isInteger(total), 'list.total-not-integer', { actual: total })
        const Accept = 'application/json, text/html;q=0.5, */*;q=0.1'
        expectUnchanged(rulesIn(await plugin.list({ headers: { Accept } })), list)
      },
  }),
  ...checks({ ...reading, concludes: true }, 'plugin.list.total', {
    'CT-302 GET /api/rules returns total equal to the number of listed rules in every list of the run': async ({
      plugin,
      throwSeen,
    }) => {
      expectTotal(await plugin.list())
      throwSeen('wrongTotal')
    },
  }),
  ...checks({ ...writing, shares: additionsAndRemovals.shares }, 'plugin.list.total', {
    'CT-303 GET /api/rules returns the correct total after two POSTs and after a DELETE': (session) =>
      judgeEach(sendChanges(session, additionsAndRemovals), ({ lists }) => lists.forEach(expectTotal)),
  }),
  ...checks({ ...writing, shares: eightAdditions.shares }, 'plugin.list.all-active', {
    'CT-304 GET /api/rules lists each of eight added rules exactly once': async (session) => {
      const drafts: Draft[] = []
      await judgeEach(sendChanges(session, eightAdditions), (exchange) => {
        drafts.push(draftIn(exchange))
        for (const draft of drafts) session.rules.find(around(exchange).list, draft)
      })
    },
  }),
  ...checks(writing, 'plugin.list.all-active', {
    'CT-313 GET /api/rules with a query string lists the same rules as without one, also after a POST and a DELETE':
      async ({ plugin, rules }) => {
        const spell = (path: string) => `${path}?tck=1`
        const expectSameList = async () => {
          const response = await plugin.list({ spell })
          // Whether a query string is accepted is a question.
          if (isAccepted(response)) expectUnchanged(rulesIn(response), await rules.read())
        }
        const [rule] = await rules.arrange(1)
        await expectSameList()
        await rules.arrange(1)
        await after('a POST', expectSameList)
        await rules.remove(rule)
        await after('a DELETE', expectSameList)
      },
    'CT-311 GET /api/rules with the ETag of an earlier list returns the list after a rule is replaced': async (
      session,
    ) => {
      const { plugin, rules } = session
      const [rule] = await rules.arrange(1)
      const response = await plugin.list()
      rules.find(rulesIn(response), rule)
      const { etag } = response.headers
      await rules.remove(rule)
      const [added] = await rules.arrange(1)
      const again = await plugin.list({ headers: etag === undefined ? {} : { 'If-None-Match': etag } })
      rules.find(rulesIn(again), added)
    },
  }),
  ...serverChecks(ownServer, 'plugin.list.total', {
    'CT-305 GET /api/rules returns an empty list and total 0 after DELETE of the only rule': async ({
      plugin,
      rules,
    }) => {
      const [only] = await rules.arrange(1)
      requireRemoved(only, await rules.sendRemoval(only))
      const list = expectObject(await plugin.list())
      expectEqual('list.not-empty', list.rules, [])
      expectEqual('list.total-wrong', list.total, 0)
    },
  }),
  ...checks(writing, 'plugin.list.mode-normalised', {
    'CT-307 GET /api/rules lists a rule that was added with mode multiplier as mult': async ({ rules }) => {
      const draft = rules.draft({ mode: 'multiplier' })
      await rules.add(draft)
      const listed = (await rules.read()).find((rule) => haveSameLogins(rule, draft))
      expectExactly('rule.mode-changed', listed?.mode, 'mult')
    },
  }),
  ...checks(reading, 'plugin.list.reading-changes-nothing', {
    'CT-121 Repeated GET /api/status and GET /api/rules requests leave the list unchanged': async (session) => {
      const { plugin, rules } = session
      const before = await rules.read()
      for (let i = 0; i < 5; i += 1) {
        expectStatus(await plugin.status(), 200)
        expectUnchanged(await rules.read(), before)
      }
    },
  }),
]
