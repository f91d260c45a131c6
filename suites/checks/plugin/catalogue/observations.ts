import { idAndTitle, type Observation, type ObservedAnswer, type Risk } from '../../../session/check.ts'
import { toJson } from '../../../session/plugin.ts'
import { post } from '../../../session/rejected-requests.ts'
import { requireSuccess } from '../../../session/rules.ts'
import type { Session } from '../../../session/session.ts'
import { sendOnce } from '../../../session/shared-requests.ts'
import { additionRows } from './additions.ts'
import { keyObservations } from './keys.ts'
import { listObservations } from './list.ts'
import { answerFor, answerIn, observeStatus, sendMethod } from './observe.ts'
import { methodRows, plainRows } from './plain.ts'
import { removalRows } from './removals.ts'
import { type AdditionRow, type Row, type Rows, riskOf } from './row.ts'
import { startUpObservations } from './start-up.ts'

/** Observations made from rows. They may change the list, unless `risk` says otherwise. */
function observing<AnyRow extends Row<unknown>>(
  rows: Rows<AnyRow>,
  observe: (session: Session, row: AnyRow) => Promise<ObservedAnswer>,
  risk: (row: AnyRow) => Risk = () => 'write',
): readonly Observation[] {
  return Object.entries(rows).map(([name, row]) => {
    const [question] = row.ids
    return { ...idAndTitle(name), question, risk: risk(row), run: (session) => observe(session, row) }
  })
}

async function observeAddition(session: Session, row: AdditionRow): Promise<ObservedAnswer> {
  const { plugin, rules } = session
  const { after, send, answers, listed, observe } = row
  if (observe !== undefined) return observe(session, row)
  const draft = rules.draft()
  if (after === undefined) await requireOrdinaryAccepted(session)
  const seen = await observeStatus(plugin.send(send(draft)))
  if (listed === undefined || seen !== 201) return answerFor(seen, answers)
  // Any other field may have changed.
  return listed((await rules.read()).find(({ follower }) => follower === draft.follower))
}

/** A running server gets one ordinary rule for all observations. */
async function requireOrdinaryAccepted(session: Session): Promise<void> {
  const ordinary = sendOnce(session, 'an ordinary rule', false, ({ draft }) => [post(toJson(draft()))])
  for await (const { response } of ordinary) requireSuccess('POST of an ordinary rule', response)
}

export const pluginObservations: readonly Observation[] = [
  ...keyObservations,
  ...observing(
    plainRows,
    async ({ plugin, key }, { send, answers }) => answerFor(await observeStatus(plugin.send(send(key))), answers),
    riskOf,
  ),
  ...observing(methodRows, async (session, { send, answers }) => answerIn(await sendMethod(session, send), answers)),
  ...observing(
    removalRows,
    async ({ plugin, rules }, { send, answers }) => {
      const [rule] = await rules.arrange(1)
      return answerFor(await observeStatus(plugin.send(send(rule.index))), answers)
    },
    ({ risk }) => risk ?? 'write',
  ),
  ...listObservations,
  ...observing(additionRows, observeAddition),
  ...startUpObservations,
]
