import { after } from '../../assertions/after.ts'
import {
  type ExpectedStatus,
  expectBooleanSuccess,
  expectEqual,
  expectError,
  expectErrorResponse,
  expectExactStatus,
  expectObject,
  expectStatus,
  expectUnchanged,
} from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { expectAdded, expectAddedAt, expectRemoved } from '../../session/list-changes.ts'
import { type Plugin, toJson } from '../../session/plugin.ts'
import { type Rules, rulesIn } from '../../session/rules.ts'
import { expectForms, expectPositions } from './2-3-rule-form.ts'
import { expectStatusMembers } from './2-4-status.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { acceptedWords } from './documented-words.ts'

/** A server that only the kit writes to. */
export interface OwnServer {
  readonly plugin: Plugin
  readonly rules: Rules
}

interface Rejected {
  readonly what: string
  /** `null`: any error status. */
  readonly status: ExpectedStatus | null
  readonly send: (plugin: Plugin, draft: Draft, list: readonly Rule[]) => Promise<HttpResponse>
  /** In an empty list another status is correct too. */
  readonly needsRule?: true
}

const posted = (what: string, status: 400 | null, change: (draft: Draft) => unknown): Rejected => ({
  what: `POST with ${what}`,
  status,
  send: (plugin, draft) => plugin.add(change(draft)),
})

const postedText = (what: string, damage: (json: string) => string): Rejected => ({
  what: `POST with ${what}`,
  status: 400,
  send: (plugin, draft) => plugin.send({ method: 'POST', path: '/api/rules', body: damage(toJson(draft)) }),
})

const removed = (what: string, segment: (list: readonly Rule[]) => number | string): Rejected => ({
  what: `DELETE with ${what}`,
  status: 404,
  send: (plugin, _, list) => plugin.remove(segment(list)),
})

const wrongMethod = (method: 'PUT' | 'POST' | 'DELETE', path: string, status: 404 | 405): Rejected => ({
  what: `${method} ${path}`,
  status,
  send: (plugin) => plugin.send({ method, path, ...(method === 'DELETE' ? {} : { body: '{}' }) }),
})

/** The path has no index; whether a query is rejected first is open. */
const indexInQuery: Rejected = {
  what: 'DELETE /api/rules with an index in the query string',
  status: null,
  send: (plugin, _, list) => {
    const index = list[0]?.index ?? 0
    return plugin.send({ method: 'DELETE', path: `/api/rules?index=${index}` })
  },
}

const fields = ['master', 'follower', 'mode', 'value', 'direction'] as const
const lastIndex = (list: readonly Rule[]) => list.at(-1)?.index ?? -1

const keyless = [{ key: null }, { key: 'not-the-key' }, { key: 'not-the-key', as: 'bearer' }] as const

const withoutKey: readonly Rejected[] = keyless.flatMap((variation) => {
  const given = variation.key === null ? 'no key' : `a wrong key${'as' in variation ? ' as Bearer' : ''}`
  return [
    { what: `GET /api/status with ${given}`, status: 401, send: (plugin) => plugin.status(variation) },
    { what: `GET /api/rules with ${given}`, status: 401, send: (plugin) => plugin.list(variation) },
    { what: `POST with ${given}`, status: 401, send: (plugin, draft) => plugin.add(draft, variation) },
    {
      what: `DELETE with ${given}`,
      status: 401,
      // Whether the index or the key is judged first is open.
      needsRule: true,
      send: (plugin, _, list) => plugin.remove(list[0]?.index ?? 0, variation),
    },
  ] satisfies readonly Rejected[]
})

/** Requests that are rejected whatever the list holds, with the status where the specification says it. */
const rejected: readonly Rejected[] = [
  ...fields.map((field) => posted(`no ${field}`, 400, (draft) => ({ ...draft, [field]: undefined }))),
  ...fields.map((field) => posted(`null as ${field}`, null, (draft) => ({ ...draft, [field]: null }))),
  ...fields.map((field) => posted(`an array as ${field}`, null, (draft) => ({ ...draft, [field]: [draft[field]] }))),
  ...fields.map((field) => posted(`true as ${field}`, null, (draft) => ({ ...draft, [field]: true }))),
  posted('value 0', null, (draft) => ({ ...draft, value: 0 })),
  posted('a negative value', null, (draft) => ({ ...draft, value: -draft.value })),
  posted('an undocumented mode', null, (draft) => ({ ...draft, mode: 'lots' })),
  posted('an undocumented direction', null, (draft) => ({ ...draft, direction: 'both' })),
  posted('an array', null, (draft) => [draft]),
  postedText('an empty body', () => ''),
  postedText('truncated JSON', (json) => json.slice(0, -1)),
  postedText('two rules', (json) => json + json),
  removed('the index after the last', (list) => lastIndex(list) + 1),
  removed('a large index', (list) => lastIndex(list) + 2 ** 16),
  removed('the index -1', () => -1),
  removed('text as the index', () => 'abc'),
  wrongMethod('PUT', '/api/rules', 405),
  wrongMethod('DELETE', '/api/rules', 405),
  indexInQuery,
  wrongMethod('POST', '/api/status', 405),
  wrongMethod('POST', '/api/unknown', 404),
  wrongMethod('DELETE', '/api/unknown/0', 404),
  { what: 'GET /api/unknown', status: 404, send: (plugin) => plugin.send({ method: 'GET', path: '/api/unknown' }) },
  ...withoutKey,
]

/**
 * Sends every kind of request to a server and judges each response and the list. The first and the
 * last rule are removed, and one is added.
 */
export async function expectEveryOperation(server: OwnServer): Promise<void> {
  const before = await readSound(server)
  for (const request of rejected) await expectRejected(server, request, before)
  await after('the rejected requests', async () => expectUnchanged(await server.rules.read(), before))
  for (const changes of acceptedWords) {
    const rule = await expectAccepted(server, server.rules.draft(changes), before)
    await expectRemovable(server, rule)
  }
  // The last one first: then the index of the first one stays.
  for (const rule of new Set([...before.slice(-1), ...before.slice(0, 1)])) await expectRemovable(server, rule)
  if (before.length > 0) await expectAccepted(server, server.rules.draft(), await readSound(server))
}

/** After each kind of rejected request, a rule can be added and removed again. */
export async function expectChangesAfterRejection(server: OwnServer): Promise<void> {
  for (const request of rejected) {
    const before = await server.rules.read()
    await expectRejected(server, request, before)
    await after(request.what, async () => {
      await expectRemovable(server, await expectAccepted(server, server.rules.draft(), before))
    })
  }
}

/** The status and the list have their form, and agree with each other. */
async function readSound({ plugin }: OwnServer): Promise<readonly Rule[]> {
  const status = await plugin.status()
  expectExactStatus(status, 200)
  expectStatusMembers(expectObject(status))
  return soundList(await plugin.list())
}

function soundList(response: HttpResponse): readonly Rule[] {
  const list = rulesIn(response)
  expectEqual('list.total-wrong', expectObject(response).total, list.length)
  expectForms(list)
  expectPositions(list)
  return list
}

async function expectRejected(server: OwnServer, request: Rejected, before: readonly Rule[]): Promise<void> {
  const { plugin, rules } = server
  const status = request.needsRule && before.length === 0 ? null : request.status
  await after(request.what, async () => {
    const response = await request.send(plugin, rules.draft(), before)
    if (status === null) expectErrorResponse(response)
    else expectStatus(response, status)
    expectError(response)
  })
}

async function expectAccepted(server: OwnServer, draft: Draft, before: readonly Rule[]): Promise<Rule> {
  const response = await server.plugin.add(draft)
  expectCreated(response, draft)
  const list = soundList(await server.plugin.list())
  expectAddedAt(list, draft, expectObject(response).index)
  return expectAdded(list, { before, draft })
}

async function expectRemovable(server: OwnServer, rule: Rule): Promise<void> {
  const before = await server.rules.read()
  const response = await server.plugin.remove(rule.index)
  expectExactStatus(response, 200)
  expectBooleanSuccess(response)
  expectRemoved(soundList(await server.plugin.list()), { before, rule })
}
