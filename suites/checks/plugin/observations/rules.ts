import { OutOfScope } from '../../../assertions/failure.ts'
import type { Draft, Login } from '../../../model/rule.ts'
import type { Observation, ObservedAnswer } from '../../../session/check.ts'
import { toJson } from '../../../session/plugin.ts'
import type { Session } from '../../../session/session.ts'
import { listedFor } from './body.ts'
import { answerFor, look, lookAtRule } from './look.ts'

async function lookAtAcceptance(session: Session, odd: Draft | string): Promise<ObservedAnswer> {
  const { seen } = await lookAtRule(session, odd, session.rules.draft())
  return answerFor(seen, { 201: 'accepted', '4xx': 'refused' })
}

/** The JSON of a rule with this spelling of the master. The rule is found by its follower. */
function withMaster(draft: Draft, spelling: string): string {
  return toJson({ ...draft, master: 'REPLACED' }).replace('"REPLACED"', spelling)
}

/** Whether a login is stored or rejected. */
async function lookAtLogin(session: Session, login: Login): Promise<ObservedAnswer> {
  const draft = session.rules.draft()
  const { seen, accepted } = await lookAtRule(session, withMaster(draft, String(login)), session.rules.draft())
  if (!accepted) return answerFor(seen, { '4xx': 'refused' })
  const master = (await listedFor(session, draft.follower))?.master
  return { answer: master === login ? 'exact' : null, seen: `the login ${master}` }
}

async function lookAtValue(session: Session, value: number): Promise<ObservedAnswer> {
  const draft = session.rules.draft({ value })
  const { seen, accepted } = await lookAtRule(session, draft, session.rules.draft())
  if (!accepted) return answerFor(seen, { '4xx': 'refused' })
  const listed = (await listedFor(session, draft.follower))?.value
  return { answer: listed === 0 ? null : 'kept', seen: `the value ${listed}` }
}

async function lookAtPosition(session: Session): Promise<ObservedAnswer> {
  const { rules } = session
  if ((await rules.read()).length === 0) await rules.arrange(1)
  const [added] = await rules.arrange(1)
  const list = await rules.read()
  const position = list.findIndex((rule) => rule.index === added.index)
  const answer = position === list.length - 1 ? 'end' : position === 0 ? 'start' : null
  return { answer, seen: `place ${position + 1} of ${list.length}` }
}

/** Questions about the fields of a rule and about the list. */
export const ruleObservations: readonly Observation[] = [
  {
    id: 'CQ-401',
    question: 'plugin.index.base',
    title: 'GET /api/rules shows whether rule indices are zero-based or one-based',
    risk: 'read',
    async run({ rules, mayWrite }) {
      const list = await rules.read()
      if (list.length === 0 && !mayWrite)
        throw new OutOfScope('the list is empty, and nothing may be added with this risk')
      const first = list[0] ?? (await rules.arrange(1))[0]
      return { answer: [0, 1].includes(first.index) ? String(first.index) : null, seen: `the index ${first.index}` }
    },
  },
  {
    id: 'CQ-402',
    question: 'plugin.add.position',
    title: 'POST of a rule shows whether new rules go to the end or to the start of the list',
    risk: 'write',
    run: lookAtPosition,
  },
  {
    id: 'CQ-403',
    question: 'plugin.add.duplicate',
    title: 'POST of the same rule twice shows whether duplicates are accepted',
    risk: 'write',
    async run(session) {
      const draft = session.rules.draft()
      const { seen } = await lookAtRule(session, draft, draft)
      return answerFor(seen, { 201: 'accepted', '4xx': 'refused' })
    },
  },
  {
    id: 'CQ-404',
    question: 'plugin.add.same-pair',
    title: 'POST of two rules with the same logins shows whether a second rule for a pair is accepted',
    risk: 'write',
    async run(session) {
      const draft = session.rules.draft({ value: 1 })
      const { seen } = await lookAtRule(session, { ...draft, value: 2 }, draft)
      return answerFor(seen, { 201: 'accepted', '4xx': 'refused' })
    },
  },
  {
    id: 'CQ-405',
    question: 'plugin.add.self-copy',
    title: 'POST of a rule with master equal to follower shows whether the rule is accepted',
    risk: 'write',
    run(session) {
      const draft = session.rules.draft()
      return lookAtAcceptance(session, { ...draft, master: draft.follower })
    },
  },
  {
    id: 'CQ-411',
    question: 'plugin.login.zero',
    title: 'POST of a rule with master 0 shows whether that login is accepted',
    risk: 'write',
    run: (session) => lookAtAcceptance(session, session.rules.draft({ master: 0 })),
  },
  {
    id: 'CQ-412',
    question: 'plugin.login.negative',
    title: 'POST of a rule with master -5 shows whether a negative login is accepted',
    risk: 'write',
    run: (session) => lookAtAcceptance(session, session.rules.draft({ master: -5 })),
  },
  {
    id: 'CQ-413',
    question: 'plugin.login.above-31-bits',
    title: 'POST of a rule with master 3000000005 shows whether a login above 2^31 is accepted',
    risk: 'write',
    run: (session) => lookAtLogin(session, 3_000_000_005),
  },
  {
    id: 'CQ-414',
    question: 'plugin.login.above-53-bits',
    title: 'POST of a rule with master 9007199254740993 shows whether a login above 2^53 is accepted',
    risk: 'write',
    run: (session) => lookAtLogin(session, 9_007_199_254_740_993n),
  },
  {
    id: 'CQ-415',
    question: 'plugin.login.above-64-bits',
    title: 'POST of a rule with master 18446744073709551621 shows whether a login above 2^64 is accepted',
    risk: 'write',
    run: (session) => lookAtLogin(session, 18_446_744_073_709_551_621n),
  },
  {
    id: 'CQ-417',
    question: 'plugin.login.zero-fraction',
    title: 'POST of a rule with master 900000000.0 shows whether a login with a zero fraction is accepted',
    risk: 'write',
    run: (session) => lookAtAcceptance(session, withMaster(session.rules.draft(), '900000000.0')),
  },
  {
    id: 'CQ-418',
    question: 'plugin.login.exponent',
    title: 'POST of a rule with master 9e8 shows whether a login in exponent notation is accepted',
    risk: 'write',
    run: (session) => lookAtAcceptance(session, withMaster(session.rules.draft(), '9e8')),
  },
  {
    id: 'CQ-421',
    question: 'plugin.value.smallest',
    title: 'POST of a rule with value 1e-9 shows whether a very small value is accepted',
    risk: 'write',
    run: (session) => lookAtValue(session, 1e-9),
  },
  {
    id: 'CQ-422',
    question: 'plugin.value.largest',
    title: 'POST of a rule with value 1e12 shows whether a very large value is accepted',
    risk: 'write',
    run: (session) => lookAtValue(session, 1e12),
  },
  {
    id: 'CQ-423',
    question: 'plugin.value.overflow',
    title: 'POST of a rule with value 1e400 shows how a value too large for a double is handled',
    risk: 'write',
    run(session) {
      const body = toJson({ ...session.rules.draft(), value: 'REPLACED' }).replace('"REPLACED"', '1e400')
      return lookAtAcceptance(session, body)
    },
  },
  {
    id: 'CQ-431',
    question: 'plugin.capacity.before-validation',
    title: 'POST without direction to a full list shows whether the body or the capacity is checked first',
    risk: 'exclusive',
    fills: true,
    async run({ fill, plugin, rules }) {
      await fill()
      const seen = await look(() => plugin.add({ ...rules.draft(), direction: undefined }))
      return answerFor(seen, { 400: '400', 500: '500' })
    },
  },
]
