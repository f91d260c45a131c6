import { expectJsonType, expectObject, expectThat, malformedErrorIn } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft } from '../../model/rule.ts'
import type { Attack } from '../../session/attacks.ts'
import { headerAttacks, lengthAttacks, requestLineAttacks } from '../../session/attacks.ts'
import type { Check } from '../../session/check.ts'
import { requestsForNothing } from '../../session/harmless-requests.ts'
import { reads, succeed, writes } from '../../session/operations.ts'
import { type PluginRequest, toJson } from '../../session/plugin.ts'
import { get } from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import { requestsToReject } from '../../session/rejected-requests.ts'
import type { Session } from '../../session/session.ts'

/** An error that repeats such a word must escape it. */
const wordsToEscape = ['a"b', 'a\\', 'a\nb', 'a\u0001b']

const wrongFields: Readonly<Record<keyof Draft, readonly unknown[]>> = {
  master: ['text', null, true, [1], 1.5],
  follower: ['text', null, true, {}, 1.5],
  mode: [1, null, 'other', '', ...wordsToEscape],
  value: ['1', null, 0, -1, []],
  direction: [1, null, 'other', '', ...wordsToEscape],
}

const wrongBodies = ['null', '5', '"text"', 'true', '[]', '{}', '{"master":', 'text', ' ']

/** Bodies of POST that are rejected: each field missing and with each wrong value, and no rule at all. */
function rejectedBodies(draft: Session['rules']['draft']): readonly PluginRequest[] {
  const fields = Object.entries(wrongFields).flatMap(([field, values]) =>
    [undefined, ...values].map((value) => toJson({ ...draft(), [field]: value })),
  )
  return [...fields, ...wrongBodies].map((body) => ({ method: 'POST', path: '/api/rules', body }))
}

const readsToReject: readonly PluginRequest[] = [
  ...['/api/status', '/api/rules', '/api/unknown'].flatMap((path): readonly PluginRequest[] => [
    { method: 'GET', path, key: null },
    { method: 'GET', path, key: 'not-the-key' },
    { method: 'GET', path, key: 'not-the-key', as: 'bearer' },
    { method: 'GET', path: `${path}/x/y` },
  ]),
  { method: 'GET', path: '/api/rules/0' },
  { method: 'GET', path: '/api/a%22b%5C%0A' },
  { method: 'GET', path: '/api/%25p%25p%25p%25p' },
  { method: 'GET', path: '/api' },
]

/** Sends what may be rejected, and judges each error response. */
async function expectErrorForm({ plugin }: Session, requests: readonly PluginRequest[]): Promise<void> {
  for (const request of requests) {
    const response = await plugin.send(request)
    // A response to HEAD has no body.
    const malformed = response.status < 400 || request.method === 'HEAD' ? null : malformedErrorIn(response)
    if (malformed !== null) throw malformed
  }
}

/** Judges every error response of the run so far. */
function expectErrorForms(session: Session): void {
  const seen = session.malformedError()
  if (seen !== null) throw seen
}

/** One of each kind that a parser rejects in its own way; the checks of malformed HTTP send the others. */
const attacks: readonly Attack[] = [...lengthAttacks.slice(0, 2), ...headerAttacks.slice(0, 4), ...requestLineAttacks]

/** What each error response has besides its form, by the ids of the checks that read and that write. */
const parts = [
  {
    ids: ['CT-841', 'CT-842'],
    requirement: 'plugin.errors.description',
    part: 'a non-empty error text',
    expectPart: expectDescription,
  },
  {
    ids: ['CT-843', 'CT-844'],
    requirement: 'plugin.json.content-type',
    part: 'Content-Type application/json',
    expectPart: expectJsonType,
  },
  {
    ids: ['CT-845', 'CT-846'],
    requirement: 'plugin.errors.no-internals',
    part: 'no path of a file and no address in memory',
    expectPart: expectNoInternals,
  },
] as const

/** A path of a file, a line of source code, or what printf writes for a pointer. */
const internals = [
  /(?<![\w/.])\/(?:home|usr|var|opt|tmp|etc|root|srv|mnt|proc|Users)\/\w/,
  /[\\/]ServiceCopyTrade_rules\.dat/,
  /\b[A-Z]:[\\/]+\w/i,
  /\.(?:c|cc|cpp|h|hpp|cs|go|java|js|mjs|ts|php|py|rb|rs)\W+(?:(?:on )?line )?\d/,
  /\b0x[\da-f]{6,}|\(nil\)/i,
]

/** Other members of the body are free, and whether it is JSON is judged elsewhere. */
export function expectNoInternals(response: HttpResponse): void {
  const { error } = (response.json ?? {}) as { readonly error?: unknown }
  const isFree = internals.every((pattern) => !pattern.test(String(error)))
  expectThat(isFree, 'error.shows-internals', { difference: response.status, response })
}

function expectDescription(response: HttpResponse): void {
  const { error } = expectObject(response)
  expectThat(typeof error === 'string' && error.trim() !== '', 'error.text-empty', { actual: error, response })
}

const partChecks = parts.flatMap(({ ids: [readId, writeId], requirement, part, expectPart }): Check[] => {
  const expectInErrors = async ({ plugin }: Session, requests: readonly PluginRequest[]) => {
    for (const request of requests) {
      const response = await plugin.send(request)
      if (response.status >= 400 && request.method !== 'HEAD') expectPart(response)
    }
  }
  return [
    {
      id: readId,
      requirement,
      title: `Error responses to GET have ${part}`,
      risk: 'read',
      run: (session) => expectInErrors(session, readsToReject),
    },
    {
      id: writeId,
      requirement,
      title: `Error responses to a wrong body, method, path, index or key have ${part}`,
      risk: 'write',
      tolerates: ['rejection'],
      async run(session) {
        const { draft, arrange } = session.rules
        const [, rule] = await arrange(2)
        await expectInErrors(session, [...requestsToReject(rule, draft), ...requestsForNothing(rule, draft)])
      },
    },
  ]
})

/** Clauses 4.2 and 7: the form of every error response, and the media type of every response. */
export const errorChecks: readonly Check[] = [
  {
    id: 'CT-871',
    requirement: 'plugin.errors.every',
    title: 'Error responses to GET, and all others of the run, are JSON objects { error: string }',
    risk: 'read',
    concludes: true,
    async run(session) {
      await expectErrorForm(session, readsToReject)
      expectErrorForms(session)
    },
  },
  {
    id: 'CT-872',
    requirement: 'plugin.errors.every',
    title: 'Every error response to a wrong field, body, method, path, index or key is a JSON object { error: string }',
    risk: 'write',
    async run(session) {
      const { draft, arrange } = session.rules
      const [, rule] = await arrange(2)
      await expectErrorForm(session, [
        ...rejectedBodies(draft),
        ...requestsToReject(rule, draft),
        ...requestsForNothing(rule, draft),
      ])
    },
  },
  {
    id: 'CT-873',
    requirement: 'plugin.errors.every',
    title: 'Every error response of the run is a JSON object { error: string }, after malformed HTTP as well',
    risk: 'exclusive',
    concludes: true,
    tolerates: ['rejection', 'end of connection'],
    async run(session) {
      const incomplete = toJson(withoutDirection(session.rules.draft()))
      for (const { bytes } of attacks) {
        await session.raw({ bytes: bytes(session, incomplete), responses: 1, endAfter: true })
      }
      // A server that reads it as index 0 removes a foreign rule.
      await session.plugin.send({ method: 'DELETE', path: '/api/rules/' })
      expectErrorForms(session)
    },
  },
  ...partChecks,
  {
    id: 'CT-847',
    requirement: 'plugin.errors.no-internals',
    title: 'The error response to GET of a path with %p shows no address in memory',
    risk: 'read',
    async run(session) {
      // It is no valid URL, so a proxy may reject it in its own way.
      const [response] = (await session.raw({ bytes: get(session, '/api/%p%p%p%p'), responses: 1 })).responses
      if (response === undefined) return
      expectNoInternals(response)
    },
  },
  {
    id: 'CT-308',
    requirement: 'plugin.json.content-type',
    title: 'GET /api/status and GET /api/rules respond with Content-Type application/json',
    risk: 'read',
    async run(session) {
      for (const name of reads) expectJsonType(await succeed(session, name))
    },
  },
  {
    id: 'CT-503',
    requirement: 'plugin.json.content-type',
    title: 'POST and DELETE of a rule respond with Content-Type application/json',
    risk: 'write',
    tolerates: ['no effect'],
    async run(session) {
      for (const name of writes) expectJsonType(await succeed(session, name))
    },
  },
]
