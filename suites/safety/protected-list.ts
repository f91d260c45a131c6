import { setTimeout as delay } from 'node:timers/promises'
import { Mutex } from 'async-mutex'
import type { Client } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { NoResponse, orNoResponse } from '../client/response.ts'
import { contentOf, type Draft, describeRule, isSameList, type Rule, sameContent } from '../model/rule.ts'
import { createPlugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { type Answer, answerIn } from './explain.ts'
import type { LastRead } from './last-read.ts'
import type { Ledger } from './ledger.ts'
import { ConcurrentEdit, type ServerFault } from './list-change-errors.ts'
import { changedBetween, differences, foreignChange, foundIn, type IsOwn, missingFrom } from './list-state.ts'

/** A list with foreign rules, and the ledger of what the kit does to it. */
export interface ForeignList {
  /** Sends requests to the target without the guard. */
  readonly client: Client
  readonly key: string
  /** Null if writes are not allowed. */
  readonly ledger: Ledger | null
  readonly isOwn: IsOwn
  /** How long the list must stay unchanged, to detect an active client. */
  readonly quietMs?: number
}

export async function readList({ client, key }: Pick<ForeignList, 'client' | 'key'>): Promise<readonly Rule[]> {
  return rulesIn(await createPlugin(client, key).list())
}

/** Reads the list before a write. Rules that are already missing were not lost by the write. */
export async function readBefore({ client, key, lastRead, watch }: ProtectedList): Promise<readonly Rule[]> {
  const now = await readList({ client: lastRead.reuse(client), key })
  watch.see(now)
  return now
}

/** What the requests of a run showed about a server. Shared by all clients of the run. */
export function nothingKnown() {
  return {
    /** Set when an addition lost a foreign rule: nothing more is added. Settles when the reason is known. */
    lost: null as Promise<ServerFault | ConcurrentEdit | null> | null,
    /** Set when the server removed anything other than the rule at the index: nothing more is removed. */
    wrong: null as ServerFault | null,
    /** How many of the latest removals may have hit a foreign rule. */
    unclear: 0,
    /** The maximum length of the list after an addition without a loss. */
    longest: 0,
    /** Set when the server closed the connection of a read before its next request had a response. */
    closesConnections: false,
    /** The longest time after which the list showed a change. */
    lateMs: 0,
    /** Set when the list did not show an addition for as long as it may be late. */
    hidesAdditions: false,
    /** The number of additions in flight. */
    pending: 0,
    /** Held by an addition that makes the list longer than ever before, since each could cost a rule. */
    turn: new Mutex(),
  }
}

/** A list with foreign rules. Every write to it is in the ledger before it is sent, and between two reads. */
export interface ProtectedList extends ForeignList {
  readonly watch: ReturnType<typeof createWatch>
  readonly knowledge: ReturnType<typeof nothingKnown>
  readonly lastRead: LastRead
  /** Called with the body of each request that may add a rule. Returns the logins of the kit in it. */
  readonly note: (text: string) => readonly number[]
}

/** A list to which a run adds rules. */
export interface RunList extends ProtectedList {
  /** The temporary key of a leased server gives exclusive access, so no request can hit a foreign rule. */
  readonly isLeased: boolean
  /** Draws a new rule of the kit, to find out who removed a rule. */
  readonly draft: () => Draft
  /** Called for each request that may change the list. Throws if there are too many. */
  readonly countWrite: () => void
}

/** Compares the foreign rules of each list with those of the previous list. */
export function createWatch(before: readonly Rule[], isOwn: IsOwn) {
  let others = before.filter((rule) => !isOwn(rule))
  /** The list that `others` belongs to. Equal responses share one list, so the comparison is cheap. */
  let last: readonly Rule[] | null = null
  let justRestarted = false
  return {
    get others() {
      return others
    },
    /** Accepts this list as the last one, since its changes are already known. */
    accept(list: readonly Rule[]) {
      last = list
      others = list.filter((rule) => !isOwn(rule))
    },
    /** Called when the kit restarted the server, which may lose or change rules: a check judges that. */
    restarted() {
      justRestarted = true
    },
    /** Throws `ConcurrentEdit` if the foreign rules changed. */
    see(list: readonly Rule[]) {
      const now = list === last ? others : list.filter((rule) => !isOwn(rule))
      const all = differences(others, now)
      const changes = justRestarted && all.length > 0 ? addedIn(others, now) : all
      justRestarted = false
      last = list
      others = now
      if (changes.length > 0) throw new ConcurrentEdit('another client changed the list during the run', changes)
    },
  }
}

/** The rules that a restart cannot explain: another client added them. */
function addedIn(before: readonly Rule[], after: readonly Rule[]): readonly string[] {
  const changed = [...changedBetween(before, after).values()]
  const added = missingFrom(before, after).filter((rule) => !changed.includes(rule))
  return differences([], added)
}

const defaultQuietMs = 400

/** Reads the list until its foreign rules stay the same for a short time; null if another client changed them. */
export async function readQuiet(known: readonly Rule[], list: ForeignList): Promise<readonly Rule[] | null> {
  await delay(list.quietMs ?? defaultQuietMs)
  const now = await readList(list)
  const { lost, added, reordered } = foreignChange(known, now, list.isOwn)
  return lost.length + added.length === 0 && !reordered ? now : null
}

/** Lost rules in the ledger make the run end with exit code 5, and its message says how to add them again. */
export function recordLost(lost: readonly Rule[], { ledger }: Pick<ForeignList, 'ledger'>): void {
  if (lost.length > 0) ledger?.append({ event: 'lost', rules: lost.map(contentOf) })
}

/** The same for rules that another client may have removed. They are not added again. */
export function recordPossiblyLost(
  rules: readonly Rule[],
  unlisted: boolean,
  { ledger }: Pick<ForeignList, 'ledger'>,
): void {
  ledger?.append({ event: 'possibly-lost', rules: rules.map(contentOf), unlisted })
}

/** Sends a missing foreign rule. Returns the status of the response. */
export async function putBack(rule: Draft, { client, key, ledger }: Omit<ForeignList, 'isOwn'>): Promise<number> {
  ledger?.append({ event: 'put-back', rule: contentOf(rule) })
  return (await createPlugin(client, key).add(contentOf(rule))).status
}

/** Adds a lost rule again. A position other than in the list `stood`, which the rule is from, is recorded. */
export async function addAgain(rule: Rule, list: ForeignList, stood?: readonly Rule[]) {
  const content = contentOf(rule)
  const status = await putBack(rule, list)
  const now = await readList(list)
  if (status === 201 && foundIn(now, [content]).length > 0) {
    list.ledger?.append({ event: 'is-back', rule: content })
    if (stood !== undefined) recordMove(rule, stood, now, list)
  }
  return { status, now }
}

function recordMove(
  rule: Rule,
  before: readonly Rule[],
  now: readonly Rule[],
  { ledger, isOwn }: Pick<ForeignList, 'ledger' | 'isOwn'>,
): void {
  const foreign = now.filter((other) => !isOwn(other))
  const at = foreign.findLastIndex((other) => sameContent(other, rule))
  const rest = foreign.filter((_, place) => place !== at)
  const stood = before.indexOf(rule)
  const isAmong = (part: readonly Rule[]) => (other: Rule) => part.some((one) => sameContent(one, other))
  const ahead = rest.findLastIndex(isAmong(before.slice(0, stood)))
  const behind = rest.findIndex(isAmong(before.slice(stood + 1)))
  const wanted = ahead === -1 ? Math.max(behind, 0) : ahead + 1
  if (at === -1 || at === wanted) return
  ledger?.append({ event: 'moved', rule, order: rest.toSpliced(wanted, 0, rule) })
}

/** Adds foreign rules again, and ends after one that is rejected, or makes others disappear. */
export async function* addInOrder(rules: readonly Rule[], list: ForeignList, stood?: readonly Rule[]) {
  for (const rule of rules) {
    const before = await readList(list)
    const { status, now } = await addAgain(rule, list, stood)
    const { lost } = foreignChange(before, now, list.isOwn)
    yield { rule, status, now, lost }
    if (status !== 201 || lost.length > 0) return
  }
}

/** Adds missing rules again after a run. Returns why some could not be added; null if all were. */
export async function reAdd(
  rules: readonly Draft[],
  list: ForeignList,
  onAdded: (rule: Draft) => void,
): Promise<string | null> {
  const indexed = rules.map((rule) => ({ index: 0, ...rule }))
  for await (const added of addInOrder(indexed, list)) {
    const { status, lost } = added
    const rule = contentOf(added.rule)
    if (status === 201) onAdded(rule)
    if (lost.length > 0) recordPossiblyLost(lost, false, list)
    if (status !== 201) return `the server answered ${status} when ${describeRule(rule)} was to be added again`
    if (lost.length === 0) continue
    return `${lost.map(describeRule).join(', ')} disappeared when ${describeRule(rule)} was added again; nothing more is added`
  }
  return null
}

export async function stopIfLost({ knowledge }: ProtectedList): Promise<void> {
  const lost = await knowledge.lost
  if (lost !== null) throw lost
}

/**
 * The response, unless the list showed a change late: a later list could be that of a moment before the next change, and
 * its indices those of foreign rules. Then throws `ConcurrentEdit`.
 */
export async function unlessLate<Response>(sent: Promise<Response>, list: ProtectedList): Promise<Response> {
  const response = await sent
  const { lateMs } = list.knowledge
  if (lateMs === 0) return response
  const reason = 'the list shows changes late, because of the server or of a cache in front of it'
  throw new ConcurrentEdit(reason, [`one was shown after ${Math.round(lateMs)} ms`])
}

/** The clean-up then waits for rules that the list does not show yet. */
export function recordUnlisted({ knowledge, ledger }: ProtectedList): void {
  knowledge.hidesAdditions = true
  ledger?.append({ event: 'unlisted' })
}

/** What a request got: raw bytes may get no response. */
export type Sent = { readonly exchange: Exchange | null }

interface Sending<Response> {
  readonly send: () => Promise<Response>
  readonly before: readonly Rule[]
  /** Whether the list must be another one after this response. */
  readonly mustShow: (answer: Answer) => boolean
}

/** Sends a request, and verifies the list after it. Without a response the list shows what the request did. */
export async function sendAndVerify<Response extends Sent>(
  sending: Sending<Response>,
  list: ProtectedList,
  verify: (answer: Answer, after: readonly Rule[]) => Promise<void>,
): Promise<Response> {
  const response = await orNoResponse(sending.send())
  if (response instanceof NoResponse) {
    const answer = { status: null, exchange: response.exchange }
    const after = await readAfter(answer, sending, list).catch(() => null)
    if (after !== null) await verify(answer, after)
    throw response
  }
  const answer = answerIn(response.exchange)
  await verify(answer, await readAfter(answer, sending, list))
  list.lastRead.offer()
  return response
}

/** How often the list is read again, at most, until it shows a change. */
const lateReads = 12

/**
 * Reads the list until it shows what a request did. A cache may be in front of the server, and an index in an earlier
 * list may be that of a foreign rule.
 */
async function readAfter(answer: Answer, { before, mustShow }: Sending<unknown>, list: ProtectedList) {
  const { knowledge, quietMs = defaultQuietMs } = list
  const start = performance.now()
  if (answer.status === null || answer.status >= 500) await delay(2 * knowledge.lateMs)
  let now = await readList(list)
  if (!mustShow(answer)) return now
  for (let left = lateReads; left > 0 && isSameList(before, now); left -= 1) {
    await delay(quietMs)
    now = await readList(list)
    if (!isSameList(before, now)) knowledge.lateMs = Math.max(knowledge.lateMs, performance.now() - start)
  }
  return now
}
