import { after } from '../../assertions/after.ts'
import {
  expectContents,
  expectOneStatus,
  expectStatus,
  expectUnchanged,
  type OneOrMoreStatuses,
} from '../../assertions/expect.ts'
import type { Rule } from '../../model/rule.ts'
import type { Check, Risk } from '../../session/check.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'
import { indexSpellings } from './catalogue/removals.ts'
import { ownServer } from './scopes.ts'

/** Each of these paths is rejected and removes nothing. */
async function expectInvalid(
  { plugin, rules }: Session,
  segments: (list: readonly Rule[]) => readonly (string | number)[],
  statuses: OneOrMoreStatuses,
): Promise<void> {
  await rules.arrange(2)
  const before = await rules.read()
  for (const segment of segments(before)) {
    expectOneStatus(await plugin.remove(segment), statuses)
    expectUnchanged(await rules.read(), before)
  }
}

const pastEnd = (list: readonly Rule[]) => (list.at(-1)?.index ?? -1) + 1

const invalid: readonly {
  readonly id: string
  readonly requirement: string
  readonly title: string
  readonly risk?: Risk
  readonly statuses?: OneOrMoreStatuses
  readonly segments: (list: readonly Rule[]) => readonly (string | number)[]
}[] = [
  {
    id: 'CT-541',
    requirement: 'plugin.delete.index-past-end',
    title: 'DELETE with the index right after the last rule returns 404 and removes nothing',
    // A foreign rule that is added at the same time has this index.
    risk: 'exclusive',
    segments: (list) => [pastEnd(list), pastEnd(list) + 1],
  },
  {
    id: 'CT-542',
    requirement: 'plugin.delete.index-past-end',
    title: 'DELETE with an index far past the end, negative, or beyond 32 or 64 bits returns 404 and removes nothing',
    segments: (list) => [
      ...[pastEnd(list) + 1000, 999_999, '9'.repeat(100)],
      ...['-1', '-2', `-${list.length}`, '-2147483648'],
      ...[32n, 63n, 64n].map((bits) => String(BigInt(list.at(-1)?.index ?? 0) + 2n ** bits)),
    ],
  },
  {
    id: 'CT-544',
    requirement: 'plugin.delete.index-not-a-number',
    title: 'DELETE with text or a hexadecimal number as the index returns 404 and removes nothing',
    // A server that reads it as index 0, or as all, removes foreign rules.
    risk: 'exclusive',
    segments: (list) => [
      ...[`0x${list.at(-1)?.index.toString(16)}`, `0X${list.at(-1)?.index.toString(16)}`],
      `${list.at(-1)?.index}%00x`,
      ...['abc', 'null', 'NaN', 'last', '%00', 'x1', '*', 'one'],
      ...['true', 'false', 'True', 'undefined', '%5B0%5D', '%7B%7D', '%220%22', '%270%27', '()', '-'],
    ],
  },
  {
    id: 'CT-545',
    requirement: 'plugin.delete.index-not-a-number',
    title: 'DELETE with an index followed by text, a fraction or an exponent returns 404 and removes nothing',
    segments: (list) =>
      ['abc', '.0', '.5', 'e0', '%20x', ',2', ';2', 'L', '-1'].map((tail) => `${list.at(-1)?.index}${tail}`),
  },
  {
    id: 'CT-559',
    requirement: 'plugin.delete.index-past-end',
    title: 'DELETE with a 5,000-digit index returns 404 or 414 and removes nothing',
    // RFC 9110, section 4.1 only recommends that a target of 8,000 bytes is read.
    statuses: [404, 414],
    segments: (list) => ['9'.repeat(5_000), `1${String(list.at(-1)?.index ?? 0).padStart(4_999, '0')}`],
  },
  {
    id: 'CT-549',
    requirement: 'plugin.delete.index-not-a-number',
    title: 'DELETE with an empty index returns 404 or 405 and removes nothing',
    // The slash may be ignored: then it is DELETE /api/rules.
    statuses: [404, 405],
    // A server that reads it as index 0, or as all, removes foreign rules.
    risk: 'exclusive',
    segments: () => [''],
  },
]

const invalidChecks = invalid.map(
  ({ segments, risk = 'write', statuses = [404], ...head }): Check => ({
    ...head,
    risk,
    run: (session) => expectInvalid(session, segments, statuses),
  }),
)

/** A server may read another spelling as this index, or reject it. */
async function expectOnlyNamed({ plugin, rules }: LaunchedServer, spell: (index: number) => string): Promise<void> {
  const before = await rules.read()
  // Read as octal, or up to the underscore, a number of two digits names another rule.
  const named = before.at(10)?.index ?? 10
  const spelling = spell(named)
  const { status } = await plugin.remove(spelling)
  const list = await rules.read()
  await after(`DELETE of ${spelling}`, async () => {
    if (status !== 200) return expectUnchanged(list, before)
    expectContents(
      list,
      before.filter(({ index }) => index !== named),
      'list.other-removed',
    )
  })
  // The next spelling finds as many rules.
  await rules.arrange(before.length - list.length)
}

/** Clause 4.2 rule 4: DELETE /api/rules/{index} without such a rule. */
export const deleteInvalidChecks: readonly Check[] = [
  ...invalidChecks,
  {
    id: 'CT-554',
    requirement: 'plugin.delete.index-spelling',
    title: 'DELETE with leading zeros, a sign, spaces, underscores or other digits in the index removes no other rule',
    ...ownServer,
    async run({ launch }) {
      const server = await launch()
      await server.rules.arrange(12)
      for (const spell of indexSpellings) await expectOnlyNamed(server, spell)
    },
  },
  {
    id: 'CT-551',
    requirement: 'plugin.delete.index-past-end',
    title: 'DELETE of the last index returns 404 the second time',
    ...ownServer,
    async run({ launch }) {
      const { rules, plugin } = await launch()
      await rules.arrange(3)
      const last = (await rules.read()).at(-1)?.index ?? 0
      await plugin.remove(last)
      expectStatus(await plugin.remove(last), 404)
    },
  },
  {
    id: 'CT-552',
    requirement: 'plugin.delete.index-past-end',
    title: 'DELETE of index 0 or 1 on an empty list returns 404',
    ...ownServer,
    async run({ launch }) {
      const { plugin } = await launch()
      // Which of them is the first index is open.
      for (const index of [0, 1]) expectStatus(await plugin.remove(index), 404)
    },
  },
]
