import type { Arbitrary, AsyncCommand } from 'fast-check'
import { expectErrorResponse, expectLines, expectObject, expectStatus, expectThat } from '../assertions/expect.ts'
import type { FailureStep } from '../assertions/failure.ts'
import type { HttpResponse } from '../client/response.ts'
import { contentLine, type Draft, type Rule } from '../model/rule.ts'
import type { ListState, RuleName } from '../model/rule-list.ts'
import { rejectedRequest } from '../session/rejected-requests.ts'
import { rulesIn } from '../session/rules.ts'
import type { Session } from '../session/session.ts'

/** The expected list after the requests so far. */
export interface ModelState {
  rules: ListState
  /** The index of the first rule; null until a response has shown it. */
  base: number | null
  /** The rules that may be removed: the kit's own. */
  readonly own: Set<RuleName>
}

/** A server whose list is compared with a model. */
export interface Subject extends Pick<Session, 'plugin' | 'rules'> {
  /** Stops and starts it; null if the kit cannot. */
  readonly restart: (() => Promise<void>) | null
  /** Starts it without data of earlier instances; null if the kit cannot. */
  readonly startFresh: (() => Promise<void>) | null
  /** Whether no foreign rules can be affected. */
  readonly alone: boolean
}

export interface Followed extends Subject {
  readonly steps: FailureStep[]
  /** Called before each request that may change something. */
  readonly countWrite: () => void
}

/** The maximum number of its own rules that a sequence has in the list at a time. */
export const maxOwnRules = 8

export const mostWritesOfCommand = 3

export type Command = AsyncCommand<ModelState, Followed>

export type FastCheck = typeof import('fast-check')

function command(run: Command['run'], check: Command['check'] = () => true): Command {
  return { check, run }
}

async function write(followed: Followed, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  followed.countWrite()
  const response = await send()
  followed.steps.push(response.exchange)
  return response
}

export async function readList({ plugin, steps }: Followed): Promise<readonly Rule[]> {
  const response = await plugin.list()
  steps.push(response.exchange)
  return rulesIn(response)
}

/** The list is as expected: these rules, in this order, each with its position as its index. */
export function expectListMatches(list: readonly Rule[], model: ModelState): void {
  const base = model.base ?? list[0]?.index ?? 0
  model.base = list.length > 0 ? base : model.base
  expectLines(
    'sequence.list-wrong',
    list.map((rule) => `#${rule.index} ${contentLine(rule)}`),
    model.rules.map((rule, position) => `#${base + position} ${rule}`),
  )
}

/** Adds these rules in a row, up to the maximum. */
const add = (rules: readonly Partial<Draft>[]) =>
  command(
    async (model, followed) => {
      for (const rule of rules) await addOne(model, followed, followed.rules.draft(rule))
    },
    ({ own }) => own.size + rules.length <= maxOwnRules,
  )

const addAny = (count: number) => add(Array.from({ length: count }, () => ({})))

async function addOne(model: ModelState, followed: Followed, draft: Draft): Promise<void> {
  const response = await write(followed, () => followed.plugin.add(draft))
  // The capacity is unknown. Clause 8 judges whether a 500 is correct here.
  if (response.status === 500) return
  expectStatus(response, 201)
  const { index } = expectObject(response)
  model.base ??= model.rules.length === 0 ? Number(index) : null
  // The server chooses where new rules go, but the index in its response must be correct.
  const position = Number(index) - (model.base ?? 0)
  const isPlace = Number.isInteger(position) && position >= 0 && position <= model.rules.length
  expectThat(isPlace, 'add.index-outside-list', { actual: index, length: model.rules.length + 1 })
  model.own.add(contentLine(draft))
  model.rules = model.rules.toSpliced(position, 0, contentLine(draft))
}

const list = command(async (model, followed) => expectListMatches(await readList(followed), model))

/** The position of the n-th rule that may be removed. */
function positionOf(model: ModelState, nth: number): number {
  const own = model.rules.flatMap((rule, position) => (model.own.has(rule) ? [position] : []))
  return own[nth % own.length] ?? -1
}

const canRemove: Command['check'] = ({ own, base }) => own.size > 0 && base !== null

async function remove(model: ModelState, followed: Followed, position: number): Promise<void> {
  const response = await write(followed, () => followed.plugin.remove((model.base ?? 0) + position))
  expectStatus(response, 200)
  model.own.delete(model.rules[position] ?? '')
  model.rules = model.rules.toSpliced(position, 1)
}

/** Reads the list first, as the specification advises clients. */
const removeAsListed = (nth: number) =>
  command(async (model, followed) => {
    expectListMatches(await readList(followed), model)
    await remove(model, followed, positionOf(model, nth))
  }, canRemove)

/** Removes by indices that were recorded before and shifted with every change since. */
const removeFromMemory = (places: readonly number[]) =>
  command(async (model, followed) => {
    for (const nth of places) if (model.own.size > 0) await remove(model, followed, positionOf(model, nth))
  }, canRemove)

/** Requests that change nothing. Other checks judge their statuses. */
const rejectedRequests = [
  'POST with no direction',
  'POST with value 0',
  'POST with truncated JSON',
  'POST with a wrong key',
  'PUT /api/rules',
  'DELETE with the index after the last',
].map(rejectedRequest)

/** Requests that a faulty server might apply to the last rule are sent only if there are no foreign rules. */
const rejectedWithForeignRules = [...rejectedRequests.slice(0, -1), rejectedRequest('DELETE with text as the index')]

const rejected = (kind: number) =>
  command(async ({ rules, base }, followed) => {
    const requests = followed.alone && base !== null ? rejectedRequests : rejectedWithForeignRules
    const first = base ?? 0
    const inputs = { draft: followed.rules.draft, index: first, last: first + rules.length - 1 }
    const request = requests[kind % requests.length]?.request(inputs)
    if (request !== undefined) expectErrorResponse(await write(followed, () => followed.plugin.send(request)))
  })

/** Restarts the server, if the kit can, and records it as a step. */
export async function restart(followed: Followed): Promise<void> {
  if (followed.restart === null) return
  followed.steps.push('stop the server and start it again')
  await followed.restart()
}

const startAgain = command((_, followed) => restart(followed))

/** A server is most likely to forget what happened immediately before it stopped. */
const restarts = [addAny(1), removeFromMemory([0])].map((last) =>
  command(async (model, followed) => {
    if (last.check(model)) await last.run(model, followed)
    await restart(followed)
  }),
)

/** Every command that the subject allows, repeated by its weight. */
export function commandsFor(fc: FastCheck, { restart: canRestart }: Subject): readonly Arbitrary<Command>[] {
  const some = fc.nat(11)
  return [
    fc.integer({ min: 1, max: mostWritesOfCommand }).map(addAny),
    fc.integer({ min: 1, max: mostWritesOfCommand }).map(addAny),
    some.map(removeAsListed),
    fc.array(some, { minLength: 1, maxLength: mostWritesOfCommand }).map(removeFromMemory),
    some.map(rejected),
    fc.constant(list),
    ...(canRestart === null ? [] : restarts.map(fc.constant)),
  ]
}

/** Rules that differ in every field, so that they can be told apart. */
const one = { mode: 'mult', value: 0.5, direction: 'same' } as const
const other = { mode: 'fixed', value: 2.5, direction: 'reverse' } as const

/** A fixed sequence, which runs with every seed. */
export type Scenario = readonly Command[]

/** The shortest sequences that show the most common defects, so that finding them does not depend on chance. */
export const listScenarios: readonly Scenario[] = [
  // By indices recorded once: in the middle, after it (the rule has moved), and before it (the rule has not moved).
  [add([one, other, one, other]), list, removeFromMemory([1, 2, 0])],
  // A new rule in place of a removed one, in the middle and at the end.
  [add([one, one]), removeFromMemory([0]), add([other]), list, removeFromMemory([1]), add([one])],
  // A change immediately after one that was rejected for its content, for its syntax, and for its index.
  [
    ...[add([one, other]), rejected(1), removeFromMemory([1])],
    ...[rejected(2), add([other]), rejected(5), removeFromMemory([0])],
  ],
]

/** Each instance of the server makes one change, which the next one must know. The last one makes two. */
export const restartScenarios: readonly Scenario[] = [
  [add([one]), startAgain, list, removeFromMemory([0]), startAgain, list, add([one]), add([other])],
]
