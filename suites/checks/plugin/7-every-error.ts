import type { Draft } from '../../model/rule.ts'
import type { Attack } from '../../session/attacks.ts'
import { headerAttacks, lengthAttacks, requestLineAttacks } from '../../session/attacks.ts'
import type { Check } from '../../session/check.ts'
import { requestsForNothing, requestsToReject } from '../../session/harmless-requests.ts'
import { type PluginRequest, toJson } from '../../session/plugin.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
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
  { method: 'GET', path: '/api' },
]

/** Sends what may be rejected, and judges every error response of the run so far. */
async function expectErrorForm(session: Session, requests: readonly PluginRequest[]): Promise<void> {
  for (const request of requests) await session.plugin.send(request)
  const seen = session.malformedError()
  if (seen !== null) throw seen
}

/** One of each kind that a parser rejects in its own way; the checks of malformed HTTP send the others. */
const attacks: readonly Attack[] = [...lengthAttacks.slice(0, 2), ...headerAttacks.slice(0, 4), ...requestLineAttacks]

/** Clause 7: every error response is `{ error: string }`, whatever caused it. */
export const everyErrorChecks: readonly Check[] = [
  {
    id: 'CT-871',
    requirement: 'plugin.errors.every',
    title: 'Every error response to GET is a JSON object { error: string }',
    risk: 'read',
    run: (session) => expectErrorForm(session, readsToReject),
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
    async run(session) {
      const incomplete = toJson(withoutDirection(session.rules.draft()))
      for (const { bytes } of attacks) {
        await session.raw({ bytes: bytes(session, incomplete), responses: 1, endAfter: true })
      }
      await expectErrorForm(session, [])
    },
  },
]
