import type { Rule } from '../../../model/rule.ts'
import type { Observation, ObservedAnswer } from '../../../session/check.ts'
import { toJson } from '../../../session/plugin.ts'
import type { Session } from '../../../session/session.ts'
import { answerFor, look, lookAtBody, lookAtLargeBody, lookAtRule } from './look.ts'

/** The listed rule with this follower; its other fields may have changed. */
export async function listedFor({ rules }: Session, follower: unknown): Promise<Rule | undefined> {
  return (await rules.read()).find((rule) => rule.follower === follower)
}

const mebibyte = 1024 * 1024

async function lookAtDuplicateMember(session: Session): Promise<ObservedAnswer> {
  const draft = session.rules.draft({ value: 1 })
  const body = toJson(draft).replace('"value":1', '"value":1,"value":2')
  const { seen, accepted } = await lookAtRule(session, body, session.rules.draft())
  if (!accepted) return answerFor(seen, { 400: 'refused' })
  const value = (await listedFor(session, draft.follower))?.value
  return { answer: value === 2 ? 'last' : value === 1 ? 'first' : null, seen: `the value ${value}` }
}

const contentTypeObservations = [
  { id: 'CQ-303', point: 'absent', what: 'without Content-Type', contentType: null },
  { id: 'CQ-304', point: 'wrong', what: 'with Content-Type text/plain', contentType: 'text/plain' },
].map(
  ({ id, point, what, contentType }): Observation => ({
    id,
    question: `plugin.body.content-type-${point}`,
    title: `POST of a rule ${what} shows whether the rule is accepted`,
    risk: 'write',
    run(session) {
      const body = toJson(session.rules.draft())
      return lookAtBody(session, { body, contentType }, { 201: 'accepted', 400: '400', 415: '415' })
    },
  }),
)

/** Questions about the body of a request. */
export const bodyObservations: readonly Observation[] = [
  {
    id: 'CQ-301',
    question: 'plugin.body.unknown-member',
    title: 'POST of a rule with an extra field shows whether unknown fields are accepted',
    risk: 'write',
    async run(session) {
      const body = toJson({ ...session.rules.draft(), comment: 'by the kit' })
      const { seen } = await lookAtRule(session, body, session.rules.draft())
      return answerFor(seen, { 201: 'ignored', 400: 'refused' })
    },
  },
  {
    id: 'CQ-302',
    question: 'plugin.body.duplicate-member',
    title: 'POST of a rule with value 1 and then value 2 shows which duplicate field counts',
    risk: 'write',
    run: lookAtDuplicateMember,
  },
  {
    id: 'CQ-309',
    question: 'plugin.body.member-case',
    title: 'POST of a rule with the field Master shows whether names of fields are case-sensitive',
    risk: 'write',
    async run(session) {
      const { master, ...rest } = session.rules.draft()
      const { seen } = await lookAtRule(session, toJson({ Master: master, ...rest }), session.rules.draft())
      return answerFor(seen, { 201: 'insensitive', '4xx': 'sensitive' })
    },
  },
  ...contentTypeObservations,
  {
    id: 'CQ-305',
    question: 'plugin.body.byte-order-mark',
    title: 'POST with a byte order mark before the JSON shows whether the rule is accepted',
    risk: 'write',
    run: (session) =>
      lookAtBody(session, { body: `\ufeff${toJson(session.rules.draft())}` }, { 201: 'accepted', 400: 'refused' }),
  },
  {
    id: 'CQ-306',
    question: 'plugin.body.invalid-utf-8',
    title: 'POST of a rule with invalid UTF-8 in an extra field shows whether the rule is accepted',
    risk: 'write',
    async run(session) {
      const draft = toJson({ ...session.rules.draft(), comment: '#' })
      const plain = await lookAtBody(
        session,
        { body: toJson({ ...session.rules.draft(), comment: '#' }) },
        { 201: 'accepted' },
      )
      if (plain.answer === null) return { answer: null, seen: `unknown members are rejected as well (${plain.seen})` }
      const body = Buffer.from(draft.replace('"#"', '"\xff\xfe"'), 'latin1')
      return lookAtBody(session, { body }, { 201: 'replaced', 400: 'refused' })
    },
  },
  {
    id: 'CQ-307',
    question: 'plugin.body.size-limit',
    title: 'POST of a rule with 2 MiB of trailing whitespace shows how a large body is handled',
    risk: 'write',
    run: (session) =>
      lookAtLargeBody(session, toJson(session.rules.draft()) + ' '.repeat(2 * mebibyte), {
        201: 'accepted',
        400: '400',
        413: '413',
        closed: 'closed',
      }),
  },
  {
    id: 'CQ-308',
    question: 'plugin.body.on-delete',
    title: 'DELETE of a rule with the body {} shows whether the rule is removed',
    risk: 'write',
    async run({ plugin, rules }) {
      const [rule] = await rules.arrange(1)
      const seen = await look(() => plugin.send({ method: 'DELETE', path: `/api/rules/${rule.index}`, body: '{}' }))
      return answerFor(seen, { 200: 'ignored', 400: 'refused' })
    },
  },
]
