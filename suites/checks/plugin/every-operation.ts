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
import { expectForms, expectPositions } from './2-3-rules.ts'
import { expectStatusMembers } from './2-4-status.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { acceptedWords } from './documented-words.ts'

/** A server that only the kit writes to. */
export interface OwnServer {
  readonly plugin: Plugin
  readonly rules: Rules
}

type Send = (plugin: Plugin, draft: Draft, list: readonly Rule[]) => Promise<HttpResponse>

interface Rejected {
  readonly what: string
  /** `null`: any error status. */
  readonly status: ExpectedStatus | null
  readonly send: Send
  /** In an empty list another status is correct too. */
  readonly needsRule?: boolean
}

const posted = (what: string, status: 400 | null, change: (draft: Draft) => unknown): Rejected => ({
  what: `POST with ${what}`,
  status,
  send: (plugin, draft) => plugin.add(change(draft)),
})

const fields = ['master', 'follower', 'mode', 'value', 'direction'] as const

/** A rule with another value in one of its fields, for each of them. */
const postedFields = (what: string, status: 400 | null, change: (value: unknown) => unknown) =>
  fields.map((field) => posted(`${what} ${field}`, status, (draft) => ({ ...draft, [field]: change(draft[field]) })))

const postedText = (what: string, damage: (json: string) => string): Rejected => ({
  what: `POST with ${what}`,
  status: 400,
  send: (plugin, draft) => plugin.addText(damage(toJson(draft))),
})

const removed = (what: string, segment: (list: readonly Rule[]) => number | string): Rejected => ({
  what: `DELETE with ${what}`,
  status: 404,
  send: (plugin, _, list) => plugin.remove(segment(list)),
})

const elsewhere = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, status: 404 | 405): Rejected => ({
  what: `${method} ${path}`,
  status,
  send: (plugin) => plugin.send({ method, path, ...(['PUT', 'POST'].includes(method) && { body: '{}' }) }),
})

/** The path has no index; whether a query is rejected first is open. */
const indexInQuery: Rejected = {
  what: 'DELETE /api/rules with an index in the query string',
  status: null,
  send: (plugin, _, list) => plugin.send({ method: 'DELETE', path: `/api/rules?index=${list[0]?.index ?? 0}` }),
}

const lastIndex = (list: readonly Rule[]) => list.at(-1)?.index ?? -1

const wrongKeys = {
  'no key': { key: null },
  'a wrong key': { key: 'not-the-key' },
  'a wrong key as Bearer': { key: 'not-the-key', as: 'bearer' },
} as const

/** Whether the index or the key is judged first is open, so DELETE needs a rule. */
const withoutKey = Object.entries(wrongKeys).flatMap(([given, variation]) => {
  const requests: Readonly<Record<string, Send>> = {
    'GET /api/status': (plugin) => plugin.status(variation),
    'GET /api/rules': (plugin) => plugin.list(variation),
    POST: (plugin, draft) => plugin.add(draft, variation),
    DELETE: (plugin, _, list) => plugin.remove(list[0]?.index ?? 0, variation),
  }
  return Object.entries(requests).map(([name, send]): Rejected => {
    return { what: `${name} with ${given}`, status: 401, send, needsRule: name === 'DELETE' }
  })
})

/** Requests that are rejected whatever the list holds, with the status where the specification says it. */
const rejected: readonly Rejected[] = [
  ...postedFields('no', 400, () => undefined),
  ...postedFields('null as', null, () => null),
  ...postedFields('an array as', null, (value) => [value]),
  ...postedFields('true as', null, () => true),
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
  elsewhere('PUT', '/api/rules', 405),
  elsewhere('DELETE', '/api/rules', 405),
  indexInQuery,
  elsewhere('POST', '/api/status', 405),
  elsewhere('POST', '/api/unknown', 404),
  elsewhere('DELETE', '/api/unknown/0', 404),
  elsewhere('GET', '/api/unknown', 404),
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
