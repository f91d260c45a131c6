import {
  expectBooleanSuccess,
  expectContents,
  expectExactStatus,
  expectOneStatus,
  expectStatus,
  expectUnchanged,
  type OneOrMoreStatuses,
} from '../../assertions/expect.ts'
import { after, NotApplicable } from '../../assertions/failure.ts'
import type { Rule } from '../../model/rule.ts'
import { expectRemoved } from '../../session/list-changes.ts'
import { get } from '../../session/raw-request.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import {
  additionAndRemoval,
  additionsAndRemovals,
  around,
  judgeEach,
  removedBy,
  sendChanges,
} from '../../session/shared-requests.ts'
import { indexSpellings } from './catalogue/removals.ts'
import { checks, exclusive, judgingResponses, ownServer, serverChecks, writing } from './scopes.ts'

/** DELETE with each of these in place of the index is rejected and removes nothing. */
const rejected =
  (statuses: OneOrMoreStatuses, segments: (list: readonly Rule[], own: number) => readonly (string | number)[]) =>
  async ({ plugin, rules }: Session): Promise<void> => {
    const [, { index: own }] = await rules.arrange(2)
    const before = await rules.read()
    for (const segment of segments(before, own)) {
      // RFC 3986, section 7.3 advises to reject a NUL. Servlet containers and reverse proxies do so in any path, with 400.
      const hasNul = String(segment).includes('%00')
      expectOneStatus(await plugin.remove(segment), hasNul ? [...statuses, 400] : statuses)
      expectUnchanged(await rules.read(), before)
    }
  }

const pastEnd = (list: readonly Rule[]) => (list.at(-1)?.index ?? -1) + 1
const beforeFirst = (list: readonly Rule[]) => (list[0]?.index ?? 0) - 1
const last = (list: readonly Rule[]) => list.at(-1)?.index ?? 0

/** Decoded once, this is text with a percent sign. */
const encodedTwice = (index: number) => String(index).replace(/\d/g, '%253$&')

/** A server may read another spelling as this index, or reject it. */
async function expectOnlyNamed({ plugin, rules }: LaunchedServer, spell: (index: number) => string): Promise<void> {
  const before = await rules.read()
  // Read as octal, or only up to the underscore, a number with two digits becomes the index of another rule.
  const named = before.at(10)?.index ?? 10
  const spelling = spell(named)
  const { status } = await plugin.remove(spelling)
  const list = await rules.read()
  const others = before.filter(({ index }) => index !== named)
  await after(`DELETE of ${spelling}`, () => {
    if (status !== 200) return expectUnchanged(list, before)
    expectContents(list, others, 'list.other-removed')
  })
  // Restores the number of rules for the next spelling.
  await rules.arrange(before.length - list.length)
}

/** Clause 4.2: DELETE /api/rules/{index} of an existing rule, and without such a rule (rule 4). */
export const deleteChecks = [
  ...checks({ ...judgingResponses, shares: additionAndRemoval.shares }, 'plugin.delete.ok', {
    'CT-501 DELETE of a rule returns 200 with a boolean success': (session) =>
      judgeEach(sendChanges(session, additionAndRemoval), ({ request, response }) => {
        if (request.method !== 'DELETE') return
        expectExactStatus(response, 200)
        expectBooleanSuccess(response)
      }),
  }),
  ...checks({ ...writing, shares: additionsAndRemovals.shares }, 'plugin.delete.keeps-order', {
    'CT-511 DELETE of the third, first and last of five rules removes only that rule and shifts the later ones': async (
      session,
    ) => {
      // Of the removals, in their order.
      const names = ['third', 'third', 'first', 'last']
      await judgeEach(sendChanges(session, additionsAndRemovals), async (exchange) => {
        const rule = removedBy(exchange)
        if (rule === undefined) return
        const { before, list } = around(exchange)
        await after(`DELETE of the ${names.shift()} rule`, () => expectRemoved(list, before, rule))
      })
    },
  }),
  ...serverChecks(ownServer, 'plugin.delete.keeps-order', {
    'CT-535 DELETE of each rule of a list of one, two and three rules removes only that rule': async ({ rules }) => {
      for (const length of [1, 2, 3]) {
        for (let place = 0; place < length; place += 1) {
          const { length: present } = await rules.read()
          await rules.arrange(length - present)
          const before = await rules.read()
          const rule = before.at(place) ?? rules.find(before, rules.draft())
          await rules.sendRemoval(rule)
          await after(`DELETE of rule ${place + 1} of ${length}`, async () =>
            expectRemoved(await rules.read(), before, rule),
          )
        }
      }
    },
    'CT-533 DELETE with a two-digit index removes only the rule at that index': async ({ rules, plugin }) => {
      await rules.arrange(11)
      const before = await rules.read()
      const rule = before.at(-1) ?? rules.find(before, rules.draft())
      await plugin.remove(rule.index)
      expectRemoved(await rules.read(), before, rule)
    },
  }),
  ...serverChecks({ ...ownServer, tolerates: ['end of connection'] }, 'plugin.delete.keeps-order', {
    'CT-534 DELETEs on one connection, also after one past the end, remove the rules at their indices': async (
      server,
    ) => {
      const { raw, rules } = server
      await rules.arrange(11)
      const before = await rules.read()
      const remove = (index: number | undefined) => get(server, `/api/rules/${index}`, [], 'DELETE')
      const bytes = [before.at(10), before[1], before[1]].map((rule) => remove(rule?.index))
      const { responses, end } = await raw({ bytes, responses: bytes.length })
      if (responses.length < bytes.length && end === 'closed')
        throw new NotApplicable('the server ends a connection before its third request')
      for (const response of responses) expectStatus(response, 200)
      const left = before.filter((_, place) => ![1, 2, 10].includes(place))
      const list = await rules.read()
      expectContents(list, left, 'list.other-removed')
      await after('a DELETE with an index past the end', async () => {
        const [, response] = (await raw({ bytes: [pastEnd(list), last(list)].map(remove), responses: 2 })).responses
        // The server may close the connection after the first response.
        if (response === undefined) return
        expectStatus(response, 200)
        expectContents(await rules.read(), list.slice(0, -1), 'list.other-removed')
      })
    },
  }),
  // A foreign rule that is added at the same time gets this index.
  ...checks(exclusive, 'plugin.delete.index-past-end', {
    'CT-541 DELETE with the index right after the last rule returns 404 and removes nothing': rejected(
      [404],
      (list) => [pastEnd(list), pastEnd(list) + 1],
    ),
  }),
  ...checks(writing, 'plugin.delete.index-past-end', {
    'CT-542 DELETE with an index far past the end, too low, or wrapping in 8 to 64 bits returns 404 and removes nothing':
      rejected([404], (list, own) => [
        ...[pastEnd(list) + 1000, 999_999, '9'.repeat(100)],
        // With 1 added, or read as signed, they wrap too.
        ...[31n, 32n, 63n, 64n].map((bits) => String(2n ** bits - 1n)),
        // In a list that counts from one, the index 0 is before the first.
        ...new Set([`${beforeFirst(list)}`, '-1', '-2', `-${list.length}`]),
        // Read as unsigned, a negative index wraps. A server that does so must not remove a foreign rule.
        ...[32n, 64n].map((bits) => String(BigInt(own) - 2n ** bits)),
        ...[8n, 16n, 32n, 63n, 64n].map((bits) => String(BigInt(own) + 2n ** bits)),
      ]),
    // RFC 9110, section 4.1 only recommends that a target of 8,000 bytes is read. Some servers limit the whole head.
    'CT-559 DELETE with a 5,000-digit index returns 404, 414 or 431 and removes nothing': rejected(
      [404, 414, 431],
      (_, own) => ['9'.repeat(5_000), `1${String(own).padStart(4_999, '0')}`],
    ),
  }),
  // A server that reads it as index 0, or as all rules, removes foreign ones.
  ...checks(exclusive, 'plugin.delete.index-not-a-number', {
    'CT-544 DELETE with text as the index returns 404 and removes nothing': rejected([404], (list) => [
      ...[`${last(list)}%00x`, encodedTwice(last(list))],
      ...['abc', 'all', 'null', 'NaN', 'last', '%00', 'x1', '*', 'one'],
      ...['true', 'false', 'True', 'undefined', '%5B0%5D', '%7B%7D', '%220%22', '%270%27', '()', '-'],
    ]),
    // The slash may be ignored, which makes it DELETE /api/rules, or the server may redirect to that path.
    'CT-549 DELETE with an empty index returns 404, 405 or a redirect and removes nothing': rejected(
      [404, 405, 301, 302, 307, 308],
      () => [''],
    ),
  }),
  ...checks(writing, 'plugin.delete.index-not-a-number', {
    'CT-545 DELETE with an index followed by text, a fraction or an exponent returns 404 and removes nothing': rejected(
      [404],
      (list) => ['abc', '.0', '.5', '.json', 'e0', '%20x', ',2', 'L', '-1'].map((tail) => `${last(list)}${tail}`),
    ),
  }),
  ...serverChecks(ownServer, 'plugin.delete.index-spelling', {
    'CT-554 DELETE with zeros, a sign, spaces, underscores, a parameter or other digits in the index removes no other rule':
      async (server) => {
        await server.rules.arrange(12)
        for (const spell of indexSpellings) await expectOnlyNamed(server, spell)
      },
  }),
  ...serverChecks(ownServer, 'plugin.delete.index-past-end', {
    'CT-551 DELETE of the last index returns 404 the second time': async ({ rules, plugin }) => {
      await rules.arrange(3)
      const index = last(await rules.read())
      await plugin.remove(index)
      expectStatus(await plugin.remove(index), 404)
    },
    'CT-552 DELETE of index 0 or 1 on an empty list returns 404': async ({ plugin }) => {
      // Whether 0 or 1 is the first index is a question.
      for (const index of [0, 1]) expectStatus(await plugin.remove(index), 404)
    },
  }),
]
