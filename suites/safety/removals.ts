import { failure } from '../assertions/expect.ts'
import type { Request } from '../client/client.ts'
import type { HttpResponse } from '../client/response.ts'
import { contentOf, type Draft, describeRule, type Rule, sameContent } from '../model/rule.ts'
import { ConcurrentEdit, type Watch } from './concurrent-edit.ts'
import {
  addAgain,
  bothLists,
  type ForeignList,
  isReordered,
  lostBetween,
  readList,
  readQuiet,
  recordLost,
  recordPossiblyLost,
} from './foreign-rules.ts'
import { differences, foundIn, missingFrom } from './list-state.ts'
import { OtherRuleLost } from './other-rule-lost.ts'
import { type RemovalCandidates, removalCandidates } from './removal-candidates.ts'
import { type Harm, isSameHarm, lostWith } from './same-harm.ts'

/** What is known of a server from its removals; one for all clients of a run. */
export interface Removals {
  /** Set when the server removed something else than the rule at the index: nothing more is removed. */
  wrong: OtherRuleLost | null
  /** How many of the last removals may have hit a foreign rule. */
  unclear: number
}

export function createRemovals(): Removals {
  return { wrong: null, unclear: 0 }
}

export interface RemovalOptions extends ForeignList {
  readonly watch: Watch
  readonly removals: Removals
  /** Adds a new rule of the kit through the guard; null where that is not allowed. */
  readonly addOwn: (() => Promise<Draft>) | null
}

/** A DELETE, and the lists that were read right before and after it. */
export interface Removal {
  readonly request: Request
  /** Null where none arrived. */
  readonly response: HttpResponse | null
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  /** The rule of the kit at the index; undefined where no rule has the index. */
  readonly named: Rule | undefined
}

/**
 * Decides what became of the foreign rules with a DELETE. What another client may have done is never
 * held against the server, and a rule is added again only if it is certain that no other client removed it.
 *
 * @throws {OtherRuleLost} when the server is at fault; the lost rules were added again
 * @throws {ConcurrentEdit} when another client changed the list, or may have
 */
export async function verifyRemoval(removal: Removal, options: RemovalOptions): Promise<void> {
  if (isAsExpected(removal, options)) return confirm(removal, options)
  const { before, after } = removal
  const candidates = candidatesOf(removal)
  const only = onlyCandidate(candidates)
  options.watch.accept(after)
  if (isSuccess(removal) && only !== null && !options.isOwn(only)) return restoreHit(only, removal, options)
  const isHarmful = lostBetween(before, after, options).length > 0 || isReordered(before, after, options)
  // The checks judge a server that removes the wrong rule of the kit, or none. A request that names no index is not
  // repeated: a server that reads one in it all the same would remove a foreign rule then.
  if (!isHarmful && (removal.named === undefined || isUnexplained(removal))) return confirm(removal, options)
  const harms = await repeat(removal, options)
  if (isProven(harms)) {
    return isHarmful ? restoreWronglyRemoved(removal, harms, options) : confirm(removal, options)
  }
  if (harms.at(-1)?.effect === 'nothing' && before.length === after.length) return confirm(removal, options)
  throw await possibleLoss(removal, candidates, options)
}

/**
 * Whether the response explains which rules are missing, and the foreign rules are in the same order. The checks
 * judge the order of the kit's own.
 */
function isAsExpected(removal: Removal, { isOwn }: Pick<RemovalOptions, 'isOwn'>): boolean {
  const { before, after, named } = removal
  const [gone, ...further] = missingFrom(after, before)
  const rest = before.filter((rule) => rule !== gone && !isOwn(rule))
  if (further.length > 0 || differences(rest, foundIn(rest, after)).length > 0) return false
  if (isRejection(removal)) return gone === undefined
  if (gone === undefined) return !isSuccess(removal) || named === undefined
  return named !== undefined && sameContent(gone, named)
}

function confirm({ after }: Removal, { ledger, watch, removals }: RemovalOptions): void {
  removals.unclear = 0
  ledger?.append({ event: 'confirmed' })
  watch.see(after)
}

/** What a server that obeys the specification may have removed with this response. */
function candidatesOf(removal: Removal): RemovalCandidates {
  const { before, after } = removal
  if (isRejection(removal)) return { rules: [], unlisted: false }
  return removalCandidates(before, after, positionOf(removal))
}

/** The place in the list before that the DELETE named; null if it named no index. */
function positionOf({ before, named, request }: Removal): number | null {
  if (named !== undefined) return before.indexOf(named)
  const index = indexIn(request.path)
  return index === null ? null : index - (before[0]?.index ?? 0)
}

/** The only rule that the DELETE can have removed; null if there are several, or none. */
function onlyCandidate({ rules: [only, ...rest], unlisted }: RemovalCandidates): Rule | null {
  return only !== undefined && !unlisted && rest.every((rule) => sameContent(rule, only)) ? only : null
}

function isSuccess({ response }: Removal): boolean {
  return response !== null && response.status >= 200 && response.status < 300
}

function isRejection({ response }: Removal): boolean {
  return response !== null && response.status >= 300 && response.status < 500
}

/** Whether the DELETE of a rule of the kit succeeded, and no edits of other clients explain the list after it. */
function isUnexplained(removal: Removal): boolean {
  const { rules, unlisted } = candidatesOf(removal)
  return isSuccess(removal) && removal.named !== undefined && rules.length === 0 && !unlisted
}

/** Another client moved the indices, so that the DELETE hit a foreign rule. */
async function restoreHit(rule: Rule, { before, after }: Removal, options: RemovalOptions): Promise<never> {
  // Recorded as lost until it is back: the kit may be killed before the response arrives.
  recordLost([rule], options)
  options.ledger?.append({ event: 'confirmed' })
  const { status, list } = await addAgain(rule, before, options)
  options.watch.accept(list)
  const isBack = status === 201
  throw new ConcurrentEdit(
    `another client moved the indices while a rule of the kit was removed; the removed foreign rule ${isBack ? 'was added again' : `could not be added again (status ${status})`}`,
    [describeRule(rule), ...bothLists(before, after)],
  )
}

/** What a repeated DELETE did. `unclear`: nothing speaks against the server, or another client is at work. */
type Effect = 'nothing' | 'wrong' | 'unclear'

interface Repeated extends Harm {
  readonly effect: Effect
}

/** So often the same harm must follow while nothing else changes in the list. */
const requiredRepeats = 2

/** Whether the server did the same harm each time. */
function isProven(harms: readonly Repeated[]): boolean {
  return harms.length === requiredRepeats && harms.every(({ effect }) => effect === 'wrong')
}

/**
 * One loss can be the doing of another client that edited the list at that very moment. So a request of the
 * same kind is sent again, as long as it does the same harm and the list is quiet.
 */
async function repeat(removal: Removal, options: RemovalOptions): Promise<readonly Repeated[]> {
  const { before, after } = removal
  const found: Repeated[] = []
  try {
    while (found.length < requiredRepeats) {
      const again = await repeatOnce(removal, found.at(-1)?.after ?? after, options)
      if (again === null) break
      const isSame = again.effect !== 'wrong' || isSameHarm([removal, ...found, again], options)
      found.push(isSame ? again : { ...again, effect: 'unclear' })
      if (found.at(-1)?.effect !== 'wrong') break
    }
  } catch (error) {
    // The first loss must be in the ledger, whatever else was found.
    recordPossiblyLost(lostBetween(before, after, options), candidatesOf(removal).unlisted, options)
    throw error
  }
  return found
}

/**
 * A rule of the kit that is removed for this stands between two others of the kit, so that a server that is off
 * by one hits no foreign rule.
 */
async function repeatOnce(
  { request, response, named }: Removal,
  known: readonly Rule[],
  options: RemovalOptions,
): Promise<Repeated | null> {
  if (options.addOwn === null || response === null) return null
  const quiet = await readQuiet(known, options)
  if (quiet === null) return null
  if (named === undefined) return sendAgain({ request, named, before: quiet }, options)
  const found = await addThreeInARow(options.addOwn, options)
  if (found === null) return null
  const path = `/api/rules/${found.middle.index}`
  return sendAgain({ request: { ...request, path }, named: found.middle, before: found.list }, options)
}

interface ThreeInARow {
  readonly list: readonly Rule[]
  /** A rule of the kit between two others of the kit. */
  readonly middle: Rule
}

/** Adds three rules of the kit. Null where they are not in a row then. */
async function addThreeInARow(addOwn: () => Promise<Draft>, options: RemovalOptions): Promise<ThreeInARow | null> {
  await addOwn()
  const second = await addOwn()
  await addOwn()
  const list = await readList(options)
  const at = list.findIndex((rule) => sameContent(rule, second))
  const isOwn = (rule: Rule | undefined) => rule !== undefined && options.isOwn(rule)
  const middle = list[at]
  return middle !== undefined && isOwn(list[at - 1]) && isOwn(list[at + 1]) ? { list, middle } : null
}

async function sendAgain(
  again: Pick<Removal, 'request' | 'named' | 'before'>,
  options: RemovalOptions,
): Promise<Repeated | null> {
  const { client, ledger, watch } = options
  const { request, named, before } = again
  const now = await readList(options)
  const isSameIndex = (ruleNamedBy(request.path, now) === undefined) === (named === undefined)
  if (!isSameIndex || differences(before, now).length > 0) return null
  ledger?.append(
    named === undefined
      ? { event: 'write', request: `${request.method} ${request.path}`, body: null, logins: [] }
      : { event: 'remove', index: named.index, rule: contentOf(named) },
  )
  const response = await client({ ...request, followsRead: true })
  const after = await readList(options)
  watch.accept(after)
  return { before, after, named, effect: await effectOf({ ...again, response, after }, options) }
}

async function effectOf(removal: Removal, options: RemovalOptions): Promise<Effect> {
  const { before, after } = removal
  if (differences(before, after).length === 0) return 'nothing'
  if (lostBetween(after, before, options).length > 0) return 'unclear'
  if (isAsExpected(removal, options)) return 'unclear'
  return (await readQuiet(after, options)) === null ? 'unclear' : 'wrong'
}

/** Adds again what the server took, and lets nothing more be removed. */
async function restoreWronglyRemoved(
  removal: Removal,
  repeats: readonly Harm[],
  options: RemovalOptions,
): Promise<never> {
  const { before, response, named } = removal
  const { ledger, removals } = options
  const now = await readList(options)
  const lost = lostWith([removal, ...repeats], now, options)
  if (isReordered(before, now, options)) ledger?.append({ event: 'reordered' })
  const expected = named === undefined ? 'no rule' : describeRule(named)
  const actual = lost.map(describeRule).join(', ') || 'another order of the rest'
  const wrong = new OtherRuleLost(
    failure('list.other-removed', { expected, actual, difference: lost.length > 0 ? 'lost' : 'order' }).with(
      {},
      { exchange: response?.exchange ?? null },
    ),
    `the server removed something else than the rule at the index, and other clients do not explain it: ${actual}`,
  )
  removals.wrong = wrong
  ledger?.append({ event: 'misled', reason: wrong.message })
  recordLost(lost, options)
  ledger?.append({ event: 'confirmed' })
  // The verification of the list names what is still missing.
  for (const rule of lost) options.watch.accept((await addAgain(rule, before, options)).list)
  throw wrong
}

/** Both the kit and another client may have removed these rules, so they are not added again. */
async function possibleLoss(
  { before, after }: Removal,
  { rules, unlisted }: RemovalCandidates,
  options: RemovalOptions,
): Promise<ConcurrentEdit> {
  // A repeated request may have cost a further rule.
  const now = await readList(options)
  options.watch.accept(now)
  const lost = lostBetween(before, now, options)
  const further = lostBetween(after, now, options)
  const isMoved = isReordered(before, now, options)
  const foreign = rules.filter((rule) => !options.isOwn(rule))
  const possible = foreign.length > 0 ? [...foreign, ...further] : lost
  const isHarmless = possible.length === 0 && !unlisted && !isMoved
  options.removals.unclear += isHarmless ? 0 : 1
  if (!isHarmless) recordPossiblyLost(possible, unlisted, options)
  if (isMoved) options.ledger?.append({ event: 'reordered' })
  options.ledger?.append({ event: 'confirmed' })
  return new ConcurrentEdit(
    isHarmless
      ? 'another client changed the rules of the kit while one of them was removed'
      : 'the list changed together with a DELETE of the kit: the request removed a foreign rule, or another client did; nothing was added again',
    [
      ...possible.map(describeRule),
      ...(unlisted ? ['or the request removed a rule that another client had just added and that no list shows'] : []),
      ...bothLists(before, after),
    ],
  )
}

/** The rule whose index is in the path. */
export function ruleNamedBy(path: string, list: readonly Rule[]): Rule | undefined {
  const index = indexIn(path)
  return index === null ? undefined : list.find((rule) => rule.index === index)
}

/** The index that a server may read in a path, in whatever spelling; null where it can read none. */
function indexIn(path: string): number | null {
  const [, segment = ''] = /^\/api\/rules\/([^/?]+)(?:\?.*)?$/.exec(path) ?? []
  const text = decoded(segment)
    .replaceAll(/[\s+_]/g, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - arabicZero))
  return /^\d+$/.test(text) ? Number(text) : null
}

const arabicZero = 0x660

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
