import { after } from '../../assertions/after.ts'
import { expectResponse, expectStatus, expectUnchanged, failure } from '../../assertions/expect.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import {
  type Attack,
  chunkAttacks,
  headerAttacks,
  lengthAttacks,
  noiseAttacks,
  requestLineAttacks,
} from '../../session/attacks.ts'
import { type Check, checks } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { chunked, get, lastOne, post, responseTo } from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import { rulesIn } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { expectStatuses } from './http-connections.ts'
import { exclusive, reading, writing } from './scopes.ts'

/** The list, read on a new connection. */
async function readOnNewConnection(session: Session): Promise<readonly Rule[]> {
  const response = await responseTo(session, get(session, '/api/rules', lastOne))
  if (response !== undefined) return rulesIn(response)
  throw failure('response.missing-on-new-connection', { difference: null })
}

/** After each attack the list is unchanged on a new connection; after the last one, a rule can still be added. */
async function expectWithstood(session: Session, attacks: readonly Attack[], rule: Partial<Draft>): Promise<void> {
  const { plugin, rules, raw } = session
  const before = await rules.read()
  for (const { name, bytes } of attacks) {
    // Any response to such bytes is allowed, and so is none.
    await raw({ bytes: bytes(session, toJson(rule)), responses: 1, endAfter: true })
    await after(name, async () => expectUnchanged(await readOnNewConnection(session), before))
  }
  expectStatus(await plugin.add(rules.draft()), 201)
}

/** Any of these could stop a server. */
const attacks = [...chunkAttacks, ...headerAttacks, ...requestLineAttacks, ...noiseAttacks]

type Beginning = (session: Session) => Buffer

/** The first bytes of requests whose head is never completed. */
const heads: readonly Beginning[] = [
  () => Buffer.from('GET /api/st'),
  (session) => get(session, '/api/status').subarray(0, -2),
]

/** The first bytes of requests that are never completed. */
const beginnings: readonly Beginning[] = [
  ...heads,
  (session) => post(session, '{', ['Content-Length: 100']),
  (session) => post(session, '5\r\n{"mas', chunked),
]

/** Runs `meanwhile` while each of these incomplete requests holds a connection. */
async function whileStalled(
  [first, ...others]: readonly Beginning[],
  session: Session,
  meanwhile: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return meanwhile()
  await session.raw({ bytes: first(session), responses: 1, meanwhile: () => whileStalled(others, session, meanwhile) })
}

/** Where a request is split: the positions of the first bytes of the later parts. */
const splits: Readonly<Record<string, (request: string) => readonly number[]>> = {
  'in the method': () => [2],
  'in the target': (request) => [request.indexOf('/api') + 3],
  'between CR and LF': (request) => [request.indexOf('\r\n') + 1],
  'in the key': (request) => [request.indexOf('X-API-Key') + 14],
  'in the blank line': (request) => [request.indexOf('\r\n\r\n') + 3],
  'between the head and the body': (request) => [request.indexOf('\r\n\r\n') + 4],
  'in the body': (request) => [request.indexOf('"follower"') + 4],
  'at three places in the body': (request) => ['"follower"', '"mode"', '"value"'].map((name) => request.indexOf(name)),
  'before the last byte': (request) => [request.length - 1],
  'behind each of the first ten bytes': () => Array.from({ length: 10 }, (_, at) => at + 1),
}

const withstanding = { ...exclusive, tolerates: ['no effect', 'rejection', 'end of connection'] } as const

/** Split, pipelined and malformed HTTP. Requests that could stop a server have the risk `exclusive`. */
export const malformedHttpChecks: readonly Check[] = [
  ...checks(writing, 'plugin.http.any-framing', {
    'CT-970 POST is accepted wherever its bytes are split, and with its first bytes sent one by one': async (
      session,
    ) => {
      const { draft, find, read } = session.rules
      const sent = Object.entries(splits).map(([where, at]) => ({ where, at, rule: draft() }))
      for (const { where, at, rule } of sent) {
        const bytes = post(session, toJson(rule))
        const { responses } = await session.raw({ bytes, responses: 1, splitAt: at(bytes.toString('latin1')) })
        await after(`a request that was split ${where}`, async () => expectResponse(responses[0], 201))
      }
      const list = await read()
      for (const { rule } of sent) find(list, rule)
    },
  }),
  ...checks(reading, 'plugin.http.keep-alive', {
    'CT-973 Three pipelined GET requests get their responses in order': async (session) => {
      const requests = ['/api/status', '/api/unknown', '/api/rules'].map((path) => get(session, path))
      const [status, , list] = await expectStatuses(session, Buffer.concat(requests), [200, 404, 200])
      if (status !== undefined && status.text === list?.text) {
        throw failure('response.shared-by-two-requests', { difference: null, response: status })
      }
    },
  }),
  ...checks(writing, 'plugin.http.keep-alive', {
    'CT-979 GET /api/rules that is pipelined after a POST lists the new rule': async (session) => {
      const draft = session.rules.draft()
      const requests = [post(session, toJson(draft)), get(session, '/api/rules')]
      const [, list] = await expectStatuses(session, Buffer.concat(requests), [201, 200])
      if (list !== undefined) session.rules.find(rulesIn(list), draft)
    },
  }),
  ...checks(withstanding, 'plugin.robust.survives', {
    'CT-974 Malformed lengths, chunks, headers, request lines and other bytes add nothing, and later requests succeed':
      async (session) => {
        const { rules } = session
        // Where the length is malformed, not even a complete rule is added.
        await expectWithstood(session, lengthAttacks, rules.draft())
        await expectWithstood(session, attacks, withoutDirection(rules.draft()))
      },
  }),
  ...checks({ ...exclusive, tolerates: ['no effect'] }, 'plugin.robust.survives', {
    'CT-978 GET and POST of rules succeed while forty other clients stall in the middle of a request': async (
      session,
    ) => {
      const { plugin, rules } = session
      const stalled = [...beginnings, ...beginnings, ...Array.from({ length: 16 }, () => heads).flat()]
      await whileStalled(stalled, session, async () => {
        await readOnNewConnection(session)
        expectStatus(await plugin.add(rules.draft()), 201)
      })
    },
  }),
]
