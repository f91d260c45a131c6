import type { Draft, Rule } from '../../../model/rule.ts'
import type { ObservedAnswer } from '../../../session/check.ts'
import { toJson } from '../../../session/plugin.ts'
import { responseOrClosed } from '../../../session/raw-request.ts'
import { withField } from '../../../session/rejected-bodies.ts'
import { post } from '../../../session/rejected-requests.ts'
import type { Session } from '../../../session/session.ts'
import { sendRelated } from '../4-2-related-rules.ts'
import { answerFor, answerIn, observeStatus, sendLargeBody } from './observe.ts'
import type { AdditionRow, Id, PointOf, Rows } from './row.ts'

const acceptedOrRejected = { 201: 'accepted', '4xx': 'refused' } as const

/** Whether a rule has the number that was sent: a login exactly, a value to six digits. 1e400 is stored as any value. */
function isStored(rule: Rule | undefined, field: string, sent: string): boolean {
  const number = Number(sent)
  if (rule === undefined) return false
  if (field === 'value') return number === Infinity ? rule.value > 0 : Math.abs(rule.value / number - 1) < 5e-6
  return String(rule.master) === sent || (Number.isSafeInteger(number) && Number(rule.master) === number)
}

type Numeral = readonly [id: Id, point: PointOf<'plugin'>, spelled: string, shows: string]

const large = (draft: Draft) => toJson(draft) + ' '.repeat(2 * 1024 * 1024)

/** Rules with an unusual number. `answer` is for a rule that is listed with that number. */
function numerals(answer: string, numbers: readonly Numeral[]): Rows<AdditionRow> {
  const rows = numbers.map(([id, point, spelling, shows]): [string, AdditionRow] => {
    const [field = '', text = ''] = spelling.split(' ')
    const row: AdditionRow = {
      ids: [`plugin.${point}`, `add.${point.replace('.', '-')}`],
      send: (draft) => post(withField(toJson(draft), field, text)),
      answers: acceptedOrRejected,
      listed: (rule) => ({
        answer: isStored(rule, field, text) ? answer : null,
        seen: `the ${field} ${rule?.[field as 'master' | 'value']}`,
      }),
    }
    return [`${id} POST of a rule with ${spelling} shows ${shows}`, row]
  })
  return Object.fromEntries(rows)
}

/** A rule with an unknown member that will be replaced by bytes that are not valid UTF-8. */
const commented = (draft: Draft) => toJson({ ...draft, comment: '#' })

/** If a server rejects unknown members, their bytes show nothing. */
async function observeInvalidUtf8({ plugin, rules }: Session, { send, answers }: AdditionRow): Promise<ObservedAnswer> {
  const draft = rules.draft()
  const plain = answerFor(await observeStatus(plugin.send(post(commented(rules.draft())))), { 201: 'accepted' })
  if (plain.answer === null) return { answer: null, seen: `unknown members are rejected as well (${plain.seen})` }
  return answerFor(await observeStatus(plugin.send(send(draft))), answers)
}

/** The answer to a POST of a rule with this relation to the rule before it. */
const observeRelated =
  (relation: string): NonNullable<AdditionRow['observe']> =>
  async (session, { answers }) => {
    const changes = sendRelated(session, [relation])
    await changes.next()
    const related = await responseOrClosed(changes.next())
    return answerFor(related?.value?.response.status ?? 'closed', answers)
  }

export const additionRows: Rows<AdditionRow> = {
  'CQ-301 POST of a rule with an extra field shows whether unknown fields are accepted': {
    ids: ['plugin.body.unknown-member', 'add.unknown-member'],
    send: (draft) => post(toJson({ ...draft, comment: 'by the kit' })),
    answers: { 201: 'ignored', 400: 'refused' },
  },
  'CQ-302 POST of a rule with value 1 and then value 2 shows which duplicate field counts': {
    ids: ['plugin.body.duplicate-member', 'add.duplicate-member'],
    send: (draft) => post(withField(toJson(draft), 'value', '1,"value":2')),
    answers: { 400: 'refused' },
    listed: (rule) => ({
      answer: rule?.value === 2 ? 'last' : rule?.value === 1 ? 'first' : null,
      seen: `the value ${rule?.value}`,
    }),
  },
  'CQ-309 POST of a rule with the field Master shows whether names of fields are case-sensitive': {
    ids: ['plugin.body.member-case', 'add.member-case'],
    send: (draft) => post(toJson(draft).replace('"master"', '"Master"')),
    answers: { 201: 'insensitive', '4xx': 'sensitive' },
  },
  'CQ-303 POST of a rule without Content-Type shows whether the rule is accepted': {
    ids: ['plugin.body.content-type-absent', 'add.no-content-type'],
    after: 'nothing',
    send: (draft) => post(toJson(draft), { contentType: null }),
    answers: { 201: 'accepted', 400: '400', 415: '415' },
  },
  'CQ-304 POST of a rule with Content-Type text/plain shows whether the rule is accepted': {
    ids: ['plugin.body.content-type-wrong', 'add.other-content-type'],
    after: 'nothing',
    send: (draft) => post(toJson(draft), { contentType: 'text/plain' }),
    answers: { 201: 'accepted', 400: '400', 415: '415' },
  },
  'CQ-305 POST with a byte order mark before the JSON shows whether the rule is accepted': {
    ids: ['plugin.body.byte-order-mark', 'add.byte-order-mark'],
    after: 'nothing',
    send: (draft) => post(`\ufeff${toJson(draft)}`),
    answers: { 201: 'accepted', 400: 'refused' },
  },
  'CQ-306 POST of a rule with invalid UTF-8 in an extra field shows whether the rule is accepted': {
    ids: ['plugin.body.invalid-utf-8', 'add.invalid-utf-8'],
    send: (draft) => post(Buffer.from(commented(draft).replace('"#"', '"\xff\xfe"'), 'latin1')),
    answers: { 201: 'replaced', 400: 'refused' },
    observe: observeInvalidUtf8,
  },
  'CQ-307 POST of a rule with 2 MiB of trailing whitespace shows how a large body is handled': {
    ids: ['plugin.body.size-limit', 'add.large'],
    send: (draft) => post(large(draft)),
    answers: { 201: 'accepted', 400: '400', 413: '413', closed: 'closed' },
    observe: async (session, { answers }) =>
      answerIn(await sendLargeBody(session, large(session.rules.draft())), answers),
  },
  'CQ-403 POST of the same rule twice shows whether duplicates are accepted': {
    ids: ['plugin.add.duplicate', 'add.duplicate'],
    after: 'the draft',
    send: (draft) => post(toJson(draft)),
    answers: acceptedOrRejected,
    observe: observeRelated('identical content'),
  },
  'CQ-404 POST of two rules with the same logins shows whether a second rule for a pair is accepted': {
    ids: ['plugin.add.same-pair', 'add.same-pair'],
    after: 'the draft',
    send: (draft) => post(toJson({ ...draft, value: 2 })),
    answers: acceptedOrRejected,
    observe: observeRelated('the same logins and another value'),
  },
  'CQ-405 POST of a rule with master equal to follower shows whether the rule is accepted': {
    ids: ['plugin.add.self-copy', 'add.self-copy'],
    send: (draft) => post(toJson({ ...draft, master: draft.follower })),
    answers: acceptedOrRejected,
  },
  ...numerals('accepted', [
    ['CQ-411', 'login.zero', 'master 0', 'whether that login is accepted'],
    ['CQ-412', 'login.negative', 'master -5', 'whether a negative login is accepted'],
    ['CQ-417', 'login.zero-fraction', 'master 900000000.0', 'whether a login with a zero fraction is accepted'],
    // None of the kit's range, so that a rule with another login is still known by its follower.
    ['CQ-418', 'login.exponent', 'master 3005e2', 'whether a login in exponent notation is accepted'],
    ['CQ-423', 'value.overflow', 'value 1e400', 'how a value too large for a double is handled'],
  ]),
  ...numerals('exact', [
    ['CQ-413', 'login.above-31-bits', 'master 3000000005', 'whether a login above 2^31 is accepted'],
    ['CQ-414', 'login.above-53-bits', 'master 9007199254740993', 'whether a login above 2^53 is accepted'],
    ['CQ-415', 'login.above-64-bits', 'master 18446744073709551621', 'whether a login above 2^64 is accepted'],
  ]),
  ...numerals('kept', [
    ['CQ-421', 'value.smallest', 'value 1e-9', 'whether a very small value is accepted'],
    ['CQ-422', 'value.largest', 'value 1e12', 'whether a very large value is accepted'],
  ]),
}
