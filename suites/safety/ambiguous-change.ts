import { failure } from '../assertions/expect.ts'
import { NoResponse } from '../client/response.ts'
import { describeRule, isSameList, type Rule } from '../model/rule.ts'
import type { Plugin } from '../session/plugin.ts'
import {
  type Explanation,
  effectOf,
  isSameHarm,
  type ListStep,
  lostWith,
  namedBy,
  type Operation,
  type RemovalCandidates,
  type Steps,
} from './explain.ts'
import { ConcurrentEdit, ServerFault } from './list-change-errors.ts'
import { bothLists, foreignChange, type IsOwn } from './list-state.ts'
import {
  addAgain,
  addInOrder,
  type ProtectedList,
  readList,
  readQuiet,
  recordLost,
  recordPossiblyLost,
} from './protected-list.ts'

/** Sends a request like the one before the ambiguous change. Null if another client changed the list. */
export type Repetition = (list: readonly Rule[]) => Promise<ListStep | null>

/** The steps at each of which the server did the same harm. `harmless`: the repeated DELETE changed nothing. */
type Confirmation = Steps | 'harmless' | 'unclear'

/**
 * Finds out who changed the list with a request that does not explain the change, and restores the list if it was the
 * server. Null if nothing was lost. `remove` makes room after an addition.
 */
export async function findCause(
  explanation: Explanation,
  step: ListStep,
  repetition: Repetition | null,
  list: ProtectedList,
  remove: Plugin['remove'] | null = null,
): Promise<ServerFault | ConcurrentEdit | null> {
  list.watch.accept(step.after)
  if (explanation.kind === 'hit') return restoreHit(explanation.rule, step, list)
  const confirmation = await repeatHarm(step, repetition, list).catch((error: unknown) => {
    // The first loss must be in the ledger in any case.
    const { lost } = foreignChange(step.before, step.after, list.isOwn)
    recordPossiblyLost(lost, explanation.candidates.unlisted, list)
    throw error
  })
  const isConfirmed = typeof confirmation === 'object'
  if (isConfirmed && explanation.isHarmful) return attributeToServer(confirmation, list, remove)
  const hasNoEffect = confirmation === 'harmless' && step.before.length === step.after.length
  return isConfirmed || hasNoEffect ? null : reportPossibleEdit(step, explanation.candidates, list)
}

/** How often the same harm must recur while nothing else changes in the list. */
const requiredRepeats = 2

/** The request is not repeated if more additions than this are needed to reach the same length again. */
const maxAdditions = 10

/**
 * Another client may have caused one loss. So a request of the same kind is repeated while it does the same harm and the
 * list is otherwise unchanged. Additions are repeated until the list would be longer than before: a server with room for
 * the rule then loses nothing, and a server that makes room loses a rule at the same position each time.
 */
async function repeatHarm(first: ListStep, repeat: Repetition | null, list: ProtectedList): Promise<Confirmation> {
  const most = maxRepeats(first, list)
  const steps: [ListStep, ...ListStep[]] = [first]
  let known = repeat === null || most === 0 ? null : await readQuiet(first.after, list)
  for (let left = most; left > 0 && repeat !== null && known !== null; left -= 1) {
    const step = await repeat(known)
    if (step === null) break
    list.watch.accept(step.after)
    known = step.after
    const effect = effectOf(step, list.isOwn)
    if (effect === 'harmless' && step.operation.kind === 'add') continue
    if (effect !== 'harm') return effect
    steps.push(step)
    if (!isSameHarm(steps, list.isOwn)) break
    known = await readQuiet(step.after, list)
    if (steps.length > requiredRepeats && known !== null) return steps
  }
  return 'unclear'
}

/** None are sent if another client may explain the loss, or a list of that length had no loss before. */
function maxRepeats({ operation, before, after }: ListStep, { knowledge, isOwn }: ProtectedList): number {
  if (operation.kind === 'remove') return requiredRepeats
  const isEdited = foreignChange(before, after, isOwn).added.length > 0
  const additions = Math.max(before.length - after.length + 1, 1)
  const isPointless = before.length < knowledge.longest || isEdited || additions > maxAdditions
  return isPointless ? 0 : requiredRepeats * additions
}

/** Adds a foreign rule again that the DELETE hit because another client shifted the indices. */
async function restoreHit(rule: Rule, { before, after }: ListStep, list: ProtectedList): Promise<ConcurrentEdit> {
  // Recorded as lost first, since the kit may be killed before the response arrives.
  recordLost([rule], list)
  list.ledger?.append({ event: 'confirmed' })
  const { status, now } = await addAgain(rule, list, before)
  list.watch.accept(now)
  const isBack = status === 201
  return new ConcurrentEdit(
    `another client moved the indices while a rule of the kit was removed; the removed foreign rule ${isBack ? 'was added again' : `could not be added again (status ${status})`}`,
    [describeRule(rule), ...bothLists(before, after)],
  )
}

/** Adds the rules that the server removed again, in order, up to the first further loss, which the ledger has. */
async function attributeToServer(
  steps: Steps,
  list: ProtectedList,
  remove: Plugin['remove'] | null,
): Promise<ServerFault> {
  const { ledger, watch, isOwn, knowledge } = list
  const [step] = steps
  // If the list can no longer be read, uses the last one.
  const now = await readList(list).catch(() => steps.at(-1)?.after ?? step.after)
  const lost = lostWith(steps, now, isOwn)
  const wrong = faultOf(step, lost, isOwn)
  if (foreignChange(step.before, now, isOwn).reordered) ledger?.append({ event: 'reordered' })
  recordLost(lost, list)
  if (step.operation.kind === 'remove') {
    knowledge.wrong = wrong
    ledger?.append({ event: 'misled', reason: wrong.message })
    ledger?.append({ event: 'confirmed' })
  }
  try {
    if (remove !== null) await makeRoom(now, step.before.length - lost.length, remove, list)
    for await (const added of addInOrder(lost, list, step.before)) {
      watch.accept(added.now)
      recordLost(added.lost, list)
    }
  } catch (error) {
    if (!(error instanceof ConcurrentEdit || error instanceof NoResponse)) throw error
  }
  return wrong
}

function faultOf(step: ListStep, lost: readonly Rule[], isOwn: IsOwn): ServerFault {
  const { before, exchange, operation } = step
  const rules = lost.map(describeRule).join(', ')
  const difference = lost.length > 0 ? 'lost' : 'order'
  if (operation.kind === 'add') {
    const expected = `${before.filter((rule) => !isOwn(rule)).length} other rules, in their order`
    const actual = rules === '' ? 'another order' : `lost: ${rules}`
    const failed = failure('list.other-rule-lost-by-add', { expected, actual, difference })
    return new ServerFault(failed.with({}, { exchange }))
  }
  const named = namedBy(step)
  const expected = named === undefined ? 'no rule' : describeRule(named)
  const actual = rules || 'another order of the rest'
  return new ServerFault(
    failure('list.other-removed', { expected, actual, difference }).with({}, { exchange }),
    `the server removed something else than the rule at the index, and other clients do not explain it: ${actual}`,
  )
}

/** Removes rules of the kit, the last one first, until the list has at most this length. */
async function makeRoom(now: readonly Rule[], most: number, remove: Plugin['remove'], list: ProtectedList) {
  let rules = now
  while (rules.length > most) {
    const own = rules.findLast(list.isOwn)
    if (own === undefined) return
    await remove(own.index)
    const next = await readList(list)
    if (next.length >= rules.length) return
    rules = next
  }
}

const ambiguousReasons: Readonly<Record<Operation['kind'], string>> = {
  add: 'foreign rules disappeared or moved together with a request of the kit that may add a rule: the server did it, or another client did; nothing was added again',
  remove:
    'the list changed together with a DELETE of the kit: the request removed a foreign rule, or another client did; nothing was added again',
}

const unchangedReason =
  'the list is the same after a DELETE of the kit: the server ignored it, or another client changed the list'

/** Both the kit and another client may have removed rules, so none is added again. */
async function reportPossibleEdit(
  { before, after, operation }: ListStep,
  candidates: RemovalCandidates,
  list: ProtectedList,
): Promise<ConcurrentEdit> {
  const { ledger, watch, isOwn, knowledge } = list
  // A repeated request may have cost another rule. If the list can no longer be read, uses the last one.
  const now = await readList(list).catch(() => after)
  watch.accept(now)
  const { lost, reordered } = foreignChange(before, now, isOwn)
  const foreign = candidates.rules.filter((rule) => !isOwn(rule))
  const possible = foreign.length > 0 ? [...foreign, ...foreignChange(after, now, isOwn).lost] : lost
  const isHarmless = possible.length === 0 && !candidates.unlisted && !reordered
  if (!isHarmless) {
    knowledge.unclear += 1
    recordPossiblyLost(possible, candidates.unlisted, list)
  }
  if (reordered) ledger?.append({ event: 'reordered' })
  if (operation.kind === 'remove') ledger?.append({ event: 'confirmed' })
  const isOwnChange = isHarmless && operation.kind === 'remove'
  const reason = isSameList(before, after) ? unchangedReason : ambiguousReasons[operation.kind]
  return new ConcurrentEdit(
    isOwnChange ? 'another client changed the rules of the kit while one of them was removed' : reason,
    [
      ...possible.map(describeRule),
      ...(candidates.unlisted
        ? ['or the request removed a rule that another client had just added and that no list shows']
        : []),
      ...bothLists(before, after),
    ],
  )
}
