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
import { haveSameLogins } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import type { Plugin } from '../../session/plugin.ts'
import { arranged, isAccepted, requireRemoved, rulesIn } from '../../session/rules.ts'
import { ownServer, reading, serverChecks, writing } from './scopes.ts'

async function readStatus(plugin: Plugin): Promise<Readonly<Record<string, unknown>>> {
  const response = await plugin.status()
  expectStatus(response, 200)
  return expectObject(response)
}

const isText = (value: unknown) => typeof value === 'string'
const isInteger = (from: number, to: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= from && Number(value) <= to

const members = [
  ['plugin', 'status.plugin-not-string', isText],
  ['version', 'status.version-not-string', isText],
  ['license_active', 'status.license-active-not-boolean', (value: unknown) => typeof value === 'boolean'],
  ['rules_loaded', 'status.rules-loaded-not-a-count', isInteger(0, Number.POSITIVE_INFINITY)],
  ['api_port', 'status.api-port-not-a-port', isInteger(1, 65535)],
] as const

/** Every member of the status has its type. */
export function expectStatusMembers(status: Readonly<Record<string, unknown>>): void {
  for (const [name, code, holds] of members) expectThat(holds(status[name]), code, { actual: status[name] })
}

/** The status counts the rules as the list does. */
export async function expectLoadedIsTotal(plugin: Plugin): Promise<void> {
  const { rules_loaded } = await arranged(() => readStatus(plugin))
  expectEqual('status.rules-loaded-wrong', rules_loaded, expectObject(await plugin.list()).total)
}

/** `total` is the number of rules of the same response. */
export async function expectTotal(plugin: Plugin): Promise<void> {
  const response = await plugin.list()
  const { length } = rulesIn(response)
  expectEqual('list.total-wrong', expectObject(response).total, length)
}

/** Clauses 2.4 and 4.2: GET /api/status and GET /api/rules. */
export const readChecks: readonly Check[] = [
  ...checks(reading, 'plugin.status.ok', {
    'CT-201 GET /api/status returns 200 with an object that has every member in its documented form': async (
      session,
    ) => {
      const response = await session.plugin.status()
      expectExactStatus(response, 200)
      expectStatusMembers(expectObject(response))
    },
  }),
  ...checks(reading, 'plugin.status.rules-loaded-is-total', {
    'CT-207 GET /api/status returns rules_loaded equal to the total of GET /api/rules': ({ plugin }) =>
      expectLoadedIsTotal(plugin),
  }),
  ...checks({ ...writing, tolerates: ['rejection'] }, 'plugin.status.rules-loaded-is-total', {
    'CT-208 GET /api/status returns rules_loaded equal to the total after POSTs, a DELETE, and a POST of a pair again':
      async ({ plugin, rules }) => {
        const [first, { master, follower, value }] = await rules.arrange(2)
        await after('two POSTs', () => expectLoadedIsTotal(plugin))
        await rules.remove(first)
        await after('a DELETE', () => expectLoadedIsTotal(plugin))
        // A server may reject it.
        await plugin.add(rules.draft({ master, follower, value: value + 1 }))
        await after('a POST of a pair again', () => expectLoadedIsTotal(plugin))
      },
  }),
  ...checks({ ...writing, needs: ['launch', 'port'] }, 'plugin.status.api-port-is-own', {
    'CT-209 GET /api/status on a server with a configured port returns that port as api_port': async ({ launch }) => {
      const { plugin, url } = await launch({ port: 'high', list: 'empty' })
      const { api_port } = await readStatus(plugin)
      expectEqual('status.api-port-wrong', api_port, Number(new URL(url).port))
    },
  }),
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
  ...checks(reading, 'plugin.list.total', {
    'CT-302 GET /api/rules returns total equal to the number of listed rules': ({ plugin }) => expectTotal(plugin),
  }),
  ...checks(writing, 'plugin.list.total', {
    'CT-303 GET /api/rules returns the correct total after two POSTs and after a DELETE': async ({ plugin, rules }) => {
      const [rule] = await rules.arrange(2)
      await expectTotal(plugin)
      await rules.remove(rule)
      await expectTotal(plugin)
    },
  }),
  ...checks(writing, 'plugin.list.all-active', {
    'CT-304 GET /api/rules lists each of eight added rules exactly once': async ({ rules }) => {
      const drafts = Array.from({ length: 8 }, () => rules.draft())
      for (const draft of drafts) await rules.add(draft)
      const list = await rules.read()
      for (const draft of drafts) rules.find(list, draft)
    },
    'CT-313 GET /api/rules with a query string lists the same rules as without one, also after a DELETE and a POST':
      async ({ plugin, rules }) => {
        const spell = (path: string) => `${path}?page=1`
        const expectSameList = async () => {
          const response = await plugin.list({ spell })
          // Whether a query string is accepted is a question.
          if (isAccepted(response)) expectUnchanged(rulesIn(response), await rules.read())
        }
        const [rule] = await rules.arrange(2)
        await expectSameList()
        await rules.remove(rule)
        await after('a DELETE', expectSameList)
        await rules.arrange(1)
        await after('a POST', expectSameList)
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
]
