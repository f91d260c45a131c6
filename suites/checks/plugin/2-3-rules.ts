import { exactDifference, expectEqual, expectExactly, expectThat } from '../../assertions/expect.ts'
import { after, OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import {
  type Draft,
  describeRule,
  haveSameLogins,
  type Login,
  type Rule,
  ruleFields,
  sameToSixDigits,
} from '../../model/rule.ts'
import { toJson } from '../../session/plugin.ts'
import { responseOrClosed } from '../../session/raw-request.ts'
import { withField } from '../../session/rejected-bodies.ts'
import { post } from '../../session/rejected-requests.ts'
import { isAccepted, type Rules } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { additionsAndRemovals, around, judgeChanges } from '../../session/shared-requests.ts'
import { escapeOf, expectLogins, reverseFields } from './4-2-add-rule.ts'
import { addedWith, documentedWords, oppositeWords, otherWords } from './documented-words.ts'
import { checks, reading, writing } from './scopes.ts'

/** The existing rules; an empty list cannot be judged. */
async function listedRules({ rules }: Session): Promise<readonly Rule[]> {
  const list = await rules.read()
  if (list.length === 0) throw new OutOfScope('the list is empty, and this check adds no rule')
  return list
}

const isInteger = (value: unknown) => Number.isInteger(value) || typeof value === 'bigint'

/** What must be true of each listed rule, including foreign ones. */
const forms = [
  ['rule.field-missing', (rule: Rule) => Object.values(rule).every((value) => value !== undefined)],
  ['rule.not-integers', ({ index, master, follower }: Rule) => [index, master, follower].every(isInteger)],
  ['rule.mode-unlisted', ({ mode }: Rule) => ['mult', 'fixed'].includes(mode)],
  ['rule.value-not-positive', ({ value }: Rule) => typeof value === 'number' && value > 0],
  ['rule.direction-unlisted', ({ direction }: Rule) => ['same', 'reverse'].includes(direction)],
] as const

export function expectForms(list: readonly Rule[]): void {
  for (const [code, holds] of forms) {
    const wrong = list.find((rule) => !holds(rule))
    expectThat(wrong === undefined, code, { actual: wrong })
  }
}

/** The index counts up by one from the first rule; any first index is allowed. */
export function expectPositions(list: readonly Rule[]): void {
  const first = list[0]?.index ?? 0
  // JSON can have -0.
  const indices = list.map(({ index }) => (index === 0 ? 0 : index))
  const expected = list.map((_, position) => first + position)
  expectEqual('list.indices-not-consecutive', indices, expected)
}

/** The rule is listed as sent, its value to six significant digits. It is found by its follower, which another rule may share. */
function expectAsSent(rules: Rules, list: readonly Rule[], draft: Draft): void {
  const found = list.filter(({ follower }) => follower === draft.follower)
  const listed = found.find(({ master }) => master === draft.master) ?? found[0] ?? rules.find(list, draft)
  for (const field of ['master', 'mode', 'direction'] as const) {
    expectEqual(`rule.${field}-changed`, listed[field], draft[field])
  }
  const [actual, expected] = [listed.value as unknown, draft.value]
  const isSame = typeof actual === 'number' && sameToSixDigits(actual, expected)
  expectThat(isSame, 'rule.value-changed', { expected, actual, difference: exactDifference(actual, expected) })
}

/** If a POST was accepted, its rule is listed as sent. The rule is then removed. */
async function expectStored(
  rules: Rules,
  { what, response, sent }: { readonly what: string; readonly response: HttpResponse | null; readonly sent: Draft },
): Promise<void> {
  if (!isAccepted(response)) return
  await after(`POST with ${what}`, async () => expectAsSent(rules, await rules.read(), sent))
  await rules.clear([sent])
}

/** The JSON of a string with its last letter escaped. */
const withEscape = (text: string): string => `"${text.slice(0, -1)}${escapeOf(text.slice(-1))}"`

const asItIs = 'nothing escaped'

/** What is sent, the fields that it sets, and how its JSON is spelled. */
type Sent = readonly [what: string, changes: Partial<Draft>, respell: (json: string) => string]

/** A rule as it is, spelled otherwise, with an undocumented field in front, and with a short and a long value. */
function spellingsOf(words: (typeof documentedWords)[number]): readonly Sent[] {
  const texts = [...ruleFields, words.mode, words.direction]
  const others = { ...otherWords(words), value: 7 }
  const respelled: readonly Sent[] = [
    ['fields in reverse order', {}, reverseFields],
    ...texts.map((text): Sent => [`escaped: ${text}`, {}, (json) => json.replace(`"${text}"`, withEscape(text))]),
    ['an undocumented field in front', {}, (json) => json.replace('{', `{"note":${JSON.stringify(others)},`)],
  ]
  return [
    [asItIs, {}, (json) => json],
    ...(oppositeWords.includes(words) ? respelled : []),
    ...[1, 250].map((value): Sent => [`value ${value}`, { value }, (json) => json]),
  ]
}

/** Valid JSON numbers; a server may reject them. */
const spelledValues = [
  ...['1e-9', '0.00012', '3.14151', '123456', '9876543210', '0.0000000123456', '1.23456e-8', '123456e-13'],
  ...['0.000000012345600000000000', '1.23456000000000000000', '1234560.00', '1.23456E+6', '123456000e-2'],
  ...['12345.6', '0.000123456e10', '1.23456000000000000e3'],
  ...[`1.5${'0'.repeat(300)}e3`, `123456${'0'.repeat(250)}e-250`, `0.${'0'.repeat(250)}123456e250`],
]

/**
 * Logins that change if they are stored in 32 bits, as a double, or as a signed number, or are read up to the exponent.
 * None is in a usual range of the kit's own, so the kit knows a changed rule by its other login.
 */
const unusualLogins: readonly (readonly [what: string, login: Login, json?: string])[] = [
  ['above 2^31', 3_000_000_005],
  ['above 2^32', 4_294_967_296 + 1001],
  ['above 2^53', 9_007_199_254_740_993n],
  ['above 2^63', 2n ** 63n + 5n],
  ['above 2^64', 2n ** 64n + 1001n],
  ['of 301 digits', 10n ** 300n + 7n],
  ['below 0', -5],
  ['of 0', 0],
  ['with an exponent', 300_500, '3005e2'],
  ['above 2^53, with an exponent', 9_007_199_254_740_993n, '9007199254740993e0'],
]

/** Clauses 2.3 and 3: the format of each listed rule, its index, that it is listed as sent, and until it is removed. */
export const ruleChecks = [
  ...checks(reading, 'plugin.rule.fields', {
    'CT-101 GET /api/rules lists every existing rule with all fields in their documented form': async (session) => {
      expectForms(await listedRules(session))
    },
  }),
  ...checks(writing, 'plugin.rule.fields', {
    'CT-102 GET /api/rules lists every added rule with all fields in their documented form': async ({ rules }) => {
      // A server that truncates values to integers lists 0 for the second one.
      const first = rules.draft({ mode: 'mult', value: 1.5, direction: 'same' })
      const second = rules.draft({ mode: 'fixed', value: 0.01, direction: 'reverse' })
      expectForms(await rules.arrange([first, second]))
    },
  }),
  ...checks(reading, 'plugin.rule.index-is-position', {
    'CT-111 GET /api/rules lists existing rules with consecutive indices': async (session) => {
      expectPositions(await listedRules(session))
    },
  }),
  ...checks({ ...writing, shares: additionsAndRemovals.shares }, 'plugin.rule.index-is-position', {
    'CT-112 GET /api/rules lists consecutive indices after four rules are added and one is removed': judgeChanges(
      additionsAndRemovals,
      (exchange) => expectPositions(around(exchange).list),
    ),
  }),
  ...checks({ ...writing, tolerates: ['end of connection'] }, 'plugin.rule.as-sent', {
    'CT-118 GET /api/rules lists accepted values to six significant digits in any spelling of the number': async ({
      plugin,
      rules,
    }) => {
      for (const spelling of spelledValues) {
        const draft = rules.draft({ value: 1 })
        const response = await responseOrClosed(plugin.addText(withField(toJson(draft), 'value', spelling)))
        const sent = { ...draft, value: Number(spelling) }
        await expectStored(rules, { what: `${spelling} as value`, response, sent })
      }
    },
    'CT-122 GET /api/rules lists an accepted master or follower that is 0, below 0, large or has an exponent as sent':
      async ({ plugin, rules }) => {
        for (const field of ['master', 'follower'] as const) {
          // The rule is found by its other login, which must be unique.
          const other = field === 'master' ? 'follower' : 'master'
          for (const [what, login, json = `${login}`] of unusualLogins) {
            const own = rules.draft().follower
            const draft = rules.draft({ [other]: own, [field]: login })
            const response = await responseOrClosed(plugin.addText(withField(toJson(draft), field, json)))
            if (response === null || !isAccepted(response)) continue
            await after(`POST with a ${field} ${what}`, async () => {
              const listed = (await rules.read()).find((rule) => rule[other] === own)
              expectExactly(`rule.${field}-changed`, listed?.[field], login)
              expectLogins(response, draft)
            })
            await rules.clear([draft])
          }
        }
      },
  }),
  ...checks(writing, 'plugin.rule.value-double-precision', {
    'CT-119 GET /api/rules lists values that need more precision than a 32-bit float exactly': async ({ rules }) => {
      for (const [at, value] of [0.1, 1.23456789, 524288.03125, 2.7182818251].entries()) {
        const [{ value: listed }] = await rules.arrange([rules.draft({ ...documentedWords[at], value })])
        expectExactly('rule.value-changed', listed, value)
      }
    },
  }),
  ...checks(writing, 'plugin.rule.as-sent', {
    'CT-115 GET /api/rules lists rules of every mode and direction as sent, in any accepted spelling of the JSON':
      async ({ plugin, rules, known }) => {
        const [{ master, follower }] = await rules.arrange(1)
        for (const words of documentedWords) {
          for (const [what, values, respell] of spellingsOf(words)) {
            const changes = { ...words, master, ...values }
            const drawn = rules.draft(changes)
            // If few logins are available, it may have the follower of the first rule.
            const sent = drawn.follower === follower ? rules.draft(changes) : drawn
            const request = post(respell(toJson(sent)))
            const response = await plugin.send(request)
            if (what === asItIs) known.store(addedWith(words), [{ request, response, lists: [] }])
            await expectStored(rules, { what: `${words.mode} and ${words.direction}, ${what}`, response, sent })
          }
        }
      },
  }),
  ...checks(writing, 'plugin.rule.exists-until-removed', {
    'CT-113 A rule stays listed, and a removed one unlisted, while ten other rules are added and removed': async ({
      rules,
    }) => {
      const [kept, gone] = await rules.arrange(2)
      await rules.sendRemoval(gone)
      for (let i = 0; i < 5; i += 1) {
        const [one, two] = await rules.arrange(2)
        await rules.sendRemoval(one)
        await rules.sendRemoval(two)
        const list = await rules.read()
        rules.find(list, kept)
        const found = list.find((rule) => [gone, one, two].some((removed) => haveSameLogins(removed, rule)))
        expectThat(found === undefined, 'rule.listed-after-delete', {
          expected: describeRule(gone),
          actual: found && describeRule(found),
        })
      }
    },
  }),
]
