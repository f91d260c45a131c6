import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { type HttpResponse, NoResponse } from '../client/response.ts'
import { contentOf, describeRule, type Rule, sameContent } from '../model/rule.ts'
import { rulesIn } from '../session/rules.ts'
import { type Additions, createAdditions, sendAddition } from './additions.ts'
import { ConcurrentEdit, type Watch, WrongRuleRemoved } from './concurrent-edit.ts'
import { addAgain, bothLists, type ForeignList, lostBetween, readList, recordLost } from './foreign-rules.ts'
import { differences } from './list-state.ts'
import { removalCandidates } from './removal-candidates.ts'
import { guardRawWrites, guardWrites, requireLedger } from './write-guard.ts'

export interface GuardOptions extends ForeignList {
  readonly watch: Watch
  readonly additions: Additions
  /** Called with the body of each request that may add a rule, before it is sent; returns the logins of the kit in it. */
  readonly note: (text: string) => readonly number[]
  /** Called for each request that may change the list; throws when there are too many. */
  readonly countWrite: () => void
}

/** For clean-ups, which only remove rules of the kit. */
export function removalsOnly(): Pick<GuardOptions, 'note' | 'countWrite' | 'additions'> {
  return { note: () => [], countWrite: () => undefined, additions: createAdditions() }
}

/**
 * A client for a server that holds foreign rules. Every list is compared with the previous one, and
 * every write is in the ledger before it is sent. The list is read around each write. Before a DELETE, so
 * that the index of a foreign rule is never sent; after it, so that a foreign rule that was removed
 * because of a concurrent edit is added again at once. Around any other write, since a faulty server may
 * lose a foreign rule when one is added.
 */
export function guardClient(options: GuardOptions): Client {
  const { client, ledger, watch, countWrite } = options
  return guardWrites({
    client,
    ledger,
    admit: countWrite,
    async send(request) {
      if (request.method === 'DELETE') return guardedDelete(request, options)
      const send = () => {
        announce(request, options)
        return client(request)
      }
      return sendAddition(send, ({ exchange }) => exchange, withRemoval(options))
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

function withRemoval(options: GuardOptions) {
  const { headers } = options
  const remove = (index: number) =>
    guardedDelete({ method: 'DELETE', path: `/api/rules/${index}`, headers, body: null }, options)
  return { ...options, remove }
}

/** Records a request that is about to be sent. */
function announce(request: Request, { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>): void {
  const body = request.body?.toString('utf8') ?? null
  ledger?.append({ event: 'write', request: lineOf(request), body, logins: note(body ?? '') })
}

/**
 * A client for a leased server. The temporary key gives the kit exclusive access, so a DELETE cannot hit
 * a foreign rule. Writes are recorded and counted all the same, and a foreign rule stops the run.
 */
export function guardLeased(options: Omit<GuardOptions, 'headers' | 'isOwn' | 'additions'>): Client {
  const { client, ledger, watch, countWrite } = options
  return guardWrites({
    client,
    ledger,
    admit: countWrite,
    async send(request) {
      announce(request, options)
      return client(request)
    },
    see: (request, response) => seeList(watch, request, response),
  })
}

function seeList(watch: Watch, request: Request, response: HttpResponse): void {
  const list = listIn(request, response)
  if (list !== null) watch.see(list)
}

/** Records raw bytes that are not a read before they are sent. Null options: the server has no foreign rules. */
export function guardRaw(
  raw: RawClient,
  { ledger, note }: Pick<GuardOptions, 'ledger' | 'note'>,
  around: GuardOptions | null,
): RawClient {
  return guardRawWrites(raw, /^(GET|HEAD|OPTIONS) /i, (body, send) => {
    const open = requireLedger(ledger, 'a request of raw bytes')
    const recorded = () => {
      open.append({ event: 'write', request: 'raw bytes', body, logins: note(body) })
      return send()
    }
    if (around === null) return recorded()
    // A check may send other requests while the connection of these bytes is open, so they wait for no turn.
    return sendAddition(recorded, ({ responses }) => responses.at(-1)?.exchange ?? null, {
      ...withRemoval(around),
      isNested: true,
    })
  })
}

async function guardedDelete(request: Request, options: GuardOptions): Promise<HttpResponse> {
  const { client, ledger, watch, isOwn } = options
  const before = await readList(options)
  watch.see(before)
  const named = ruleNamedBy(request.path, before)
  if (named !== undefined && !isOwn(named)) {
    throw new ConcurrentEdit('the index of a rule of the kit now belongs to a foreign rule', [describeRule(named)])
  }
  if (named === undefined) announce(request, options)
  else ledger?.append({ event: 'remove', index: named.index, rule: contentOf(named) })
  const response = await client(request).catch((error: unknown) => afterNoResponse(error, before, options))
  await confirm({ response, before, after: await readList(options), named, path: request.path }, options)
  return response
}

/** Without a response it is unknown what was removed, so the list shows whether foreign rules are missing. */
async function afterNoResponse(error: unknown, before: readonly Rule[], options: GuardOptions): Promise<never> {
  if (error instanceof NoResponse) {
    const after = await readList(options)
    const lost = lostBetween(before, after, options)
    if (lost.length > 0) throw unexplained(lost, { before, after }, options)
    options.ledger?.append({ event: 'confirmed' })
    options.watch.see(after)
  }
  throw error
}

/** Both the kit and another client may have removed these rules, so they are not added again. */
function unexplained(
  lost: readonly Rule[],
  { before, after }: Pick<Removal, 'before' | 'after'>,
  options: GuardOptions,
  unlisted = false,
): ConcurrentEdit {
  recordLost(lost, options)
  options.watch.accept(after)
  return new ConcurrentEdit(
    'foreign rules disappeared together with a rule of the kit: the request of the kit removed one of them, or another client did; nothing was added again',
    [
      ...lost.map(describeRule),
      ...(unlisted ? ['or the request removed a rule that another client had just added and that no list shows'] : []),
      ...bothLists(before, after),
    ],
  )
}

interface Removal {
  readonly response: HttpResponse
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  readonly named: Rule | undefined
  readonly path: string
}

/** Adds a foreign rule again that was removed instead of the kit's own rule; then the run stops. */
async function confirm(removal: Removal, options: GuardOptions): Promise<void> {
  const { response, before, after } = removal
  const lost = lostBetween(before, after, options)
  // A client error means that nothing was removed: other clients removed what is missing.
  if (lost.length === 0 || (response.status >= 300 && response.status < 500)) {
    options.ledger?.append({ event: 'confirmed' })
    options.watch.see(after)
    return
  }
  if (!isSuccess(response)) throw unexplained(lost, removal, options)
  const { rules, unlisted } = removalCandidates(before, after, positionOf(removal))
  const [only] = rules
  // That another client replaced a rule unseen would explain this too, and is less likely than a faulty server.
  if (only === undefined && onlyThatIsMissing(lost, removal)) return restoreWronglyRemoved(lost, options)
  const isUnique = !unlisted && only !== undefined && rules.every((rule) => sameContent(rule, only))
  const foreign = rules.filter((rule) => !options.isOwn(rule))
  if (!isUnique || foreign.length === 0) {
    throw unexplained(foreign.length === 0 ? lost : foreign, removal, options, unlisted)
  }
  await restoreRule(only, options)
  throw new ConcurrentEdit(
    'another client moved the indices while a rule of the kit was removed; the removed foreign rule was added again',
    [describeRule(only), ...bothLists(before, after)],
  )
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/** The place in the list before that the DELETE named; null if it named no index. */
function positionOf({ before, named, path }: Removal): number | null {
  if (named !== undefined) return before.indexOf(named)
  const index = indexIn(path)
  return index === null ? null : index - (before[0]?.index ?? 0)
}

/** Otherwise a concurrent edit may have moved the indices. */
function onlyThatIsMissing([rule]: readonly Rule[], { before, after }: Removal): boolean {
  const rest = before.filter((other) => other !== rule)
  return rest.length === after.length && differences(rest, after).length === 0
}

async function restoreWronglyRemoved(lost: readonly Rule[], options: GuardOptions): Promise<never> {
  for (const rule of lost) await restoreRule(rule, options)
  const wrongRule = new WrongRuleRemoved(
    'the server removed a rule other than the one at that index, and nothing else changed; the rule was added again',
    lost.map(describeRule),
  )
  options.ledger?.append({ event: 'misled', reason: wrongRule.message })
  throw wrongRule
}

async function restoreRule(rule: Rule, options: GuardOptions): Promise<void> {
  // Recorded as lost until it is back: the kit may be killed before the response arrives.
  recordLost([rule], options)
  const status = await addAgain(rule, options)
  if (status === 201) return
  throw new ConcurrentEdit(`a foreign rule was removed and could not be added again (status ${status})`, [
    describeRule(rule),
  ])
}

/** The list in a response; null for another response. */
function listIn(request: Request, response: HttpResponse): readonly Rule[] | null {
  if (request.method !== 'GET' || request.path !== '/api/rules' || response.status !== 200) return null
  try {
    return rulesIn(response)
  } catch {
    // The checks judge an invalid list.
    return null
  }
}

/** The rule whose index is in the path. */
function ruleNamedBy(path: string, list: readonly Rule[]): Rule | undefined {
  const index = indexIn(path)
  return index === null ? undefined : list.find((rule) => rule.index === index)
}

/** The index in a path, also in a notation that only some servers accept. */
function indexIn(path: string): number | null {
  const index = /^\/api\/rules\/(?:%20|\+)*0*(\d+)(?:\?.*)?$/.exec(path)?.[1]
  return index === undefined ? null : Number(index)
}

function lineOf({ method, path }: Request): string {
  return `${method} ${path}`
}
