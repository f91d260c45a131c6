import { CannotArrange, OutOfScope } from '../../../assertions/failure.ts'
import { idAndTitle, type Observation } from '../../../session/check.ts'
import { arranged, findPair } from '../../../session/rules.ts'
import type { SharedExchange } from '../../../session/session.ts'
import { around, draftIn, eightAdditions, sendChanges } from '../../../session/shared-requests.ts'
import { answerFor, observeStatus } from './observe.ts'

/** Questions about the list that need more than one request. */
export const listObservations: readonly Observation[] = [
  {
    ...idAndTitle('CQ-401 GET /api/rules shows whether rule indices are zero-based or one-based'),
    question: 'plugin.index.base',
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
    ...idAndTitle('CQ-402 POST of a rule shows whether new rules go to the end or to the start of the list'),
    question: 'plugin.add.position',
    risk: 'write',
    shares: eightAdditions.shares,
    async run(session) {
      const sent: SharedExchange[] = []
      // Neither their values nor their logins are sorted, so that a list in the order of these is noticed.
      try {
        for await (const exchange of sendChanges(session, eightAdditions)) sent.push(exchange)
      } catch (error) {
        // Three are enough if the list has no room for more.
        if (!(error instanceof CannotArrange) || sent.length < 3) throw error
      }
      const { list: rules } = around(sent.at(-1))
      const added = await arranged(async () => sent.map((exchange) => findPair(rules, draftIn(exchange)).index))
      const list = rules.map(({ index }) => index)
      const isEnd = added.join() === list.slice(-added.length).join()
      const isStart = added.toReversed().join() === list.slice(0, added.length).join()
      return { answer: isEnd ? 'end' : isStart ? 'start' : null, seen: `the indices ${added.join(', ')} in turn` }
    },
  },
  {
    ...idAndTitle(
      'CQ-431 POST without direction to a full list shows whether the body or the capacity is checked first',
    ),
    question: 'plugin.capacity.before-validation',
    risk: 'exclusive',
    fills: true,
    async run({ fill, plugin, rules }) {
      await fill()
      const seen = await observeStatus(plugin.add({ ...rules.draft(), direction: undefined }))
      return answerFor(seen, { 400: '400', 500: '500' })
    },
  },
]
