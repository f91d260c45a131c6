import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import { additionRows } from '../checks/plugin/catalogue/additions.ts'
import { twoKeys } from '../checks/plugin/catalogue/keys.ts'
import { methodRows, plainRows } from '../checks/plugin/catalogue/plain.ts'
import { removalRows } from '../checks/plugin/catalogue/removals.ts'
import { type PlainRow, riskOf } from '../checks/plugin/catalogue/row.ts'
import { type Risk, risks } from '../session/check.ts'
import { type PluginRequest, toJson } from '../session/plugin.ts'
import { post, type RejectedRequest, rejectedSteps, remove, situationIn } from '../session/rejected-requests.ts'
import type { ServerPair, SharedRequest } from './server-pair.ts'

/** One step of a sequence: one or more requests to both servers. */
export interface ComparisonStep {
  /** E.g. `add.duplicate`. */
  readonly id: string
  readonly risk: Risk
  /** Only for a list without foreign rules, since a faulty server might remove one. */
  readonly withoutForeignRules?: true
  /** Fills the list, so the capacity must be known. */
  readonly fills?: true
  readonly question?: PluginQuestionId | undefined
  /** `n` is any number, which selects a variant of the step. */
  play(pair: ServerPair, n: number): Promise<unknown>
}

const add = (pair: ServerPair, changes: Readonly<Record<string, unknown>> = {}) =>
  pair.send(post(toJson({ ...pair.draft(), ...changes })))

/** Three rules show whether those after a removed one keep their order. */
const minOwnRules = 3

/** Removes one of the kit's rules. If there are too few, adds rules first. */
async function removeOwn(pair: ServerPair, n: number, removal: (index: number) => PluginRequest): Promise<void> {
  while ((await pair.own()).length < minOwnRules) {
    if ((await add(pair))?.status !== 201) return
  }
  const own = await pair.own()
  const rule = own[n % own.length]
  if (rule !== undefined) await pair.send(removal(rule.index))
}

/** With two rules it shows where the second one is inserted. */
async function addTwo(pair: ServerPair, n: number): Promise<void> {
  await add(pair)
  const mode = modes[n % modes.length]
  await add(pair, { mode, value: values[n % values.length], direction: n % 2 === 0 ? 'same' : 'reverse' })
}

/** Adds rules until the list is full, and then one with these changes. */
async function overfill(pair: ServerPair, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  while ((await pair.list()).length < (pair.capacity ?? 0)) {
    if ((await add(pair))?.status !== 201) break
  }
  await add(pair, changes)
}

const status: PluginRequest = { method: 'GET', path: '/api/status' }
const modes = ['mult', 'multiplier', 'fixed'] as const
const values = [0.01, 1, 1.5, 12.75, 100_000, 1e-3] as const

function sending(id: string, request: SharedRequest, question?: PluginQuestionId, risk: Risk = 'read'): ComparisonStep {
  return { id, question, risk, play: (pair) => pair.send(request) }
}

function writing(id: string, play: ComparisonStep['play'], question?: PluginQuestionId): ComparisonStep {
  return { id, question, risk: 'write', play }
}

function adding(id: string, changes: Readonly<Record<string, unknown>>, question?: PluginQuestionId): ComparisonStep {
  return writing(id, (pair) => add(pair, changes), question)
}

function removing(id: string, removal: (index: number) => PluginRequest, question?: PluginQuestionId): ComparisonStep {
  return writing(id, (pair, n) => removeOwn(pair, n, removal), question)
}

/** The path of the list instead of that of the status, in the spellings of the catalogue. */
function pathOfList(path: string): string {
  return path.replace('status', 'rules').replace('Status', 'Rules').replace('%73tatus', '%72ules')
}

/** A request for the status is also sent for the list, since a server may treat each of its paths in another way. */
function plainSteps(row: PlainRow): readonly ComparisonStep[] {
  const [question, id] = row.ids
  const { path } = row.send('')
  const step = sending(id, row.send, question, riskOf(row))
  const forList = (key: string) => ({ ...row.send(key), path: pathOfList(path) })
  return pathOfList(path) === path ? [step] : [step, sending(`${id}.list`, forList, question, riskOf(row))]
}

/** Ordinary steps, and those that combine several catalogued requests. */
const ownSteps: readonly ComparisonStep[] = [
  sending('status', status),
  sending('list', { method: 'GET', path: '/api/rules' }, 'plugin.index.base'),
  sending('status.bearer', { ...status, as: 'bearer' }),
  sending('two-keys.first', twoKeys('x-api-key'), 'plugin.auth.two-headers'),
  sending('two-keys.second', twoKeys('authorization'), 'plugin.auth.two-headers'),
  sending('two-keys.other-scheme', twoKeys('x-api-key', 'Basic eDp5'), 'plugin.auth.two-headers'),
  sending('two-keys.empty', twoKeys('authorization', ''), 'plugin.auth.two-headers'),
  sending('options.no-key', { ...status, method: 'OPTIONS', key: null }),
  sending('method.get-rule', { method: 'GET', path: '/api/rules/0' }),
  writing('add', addTwo, 'plugin.add.position'),
  adding('add.multiplier', { mode: 'multiplier', direction: 'same' }),
  adding('add.fixed', { mode: 'fixed', direction: 'same' }),
  adding('add.reverse', { mode: 'mult', direction: 'reverse' }),
  adding('add.value-below-a-lot', { value: 0.009 }, 'plugin.value.smallest'),
  adding('add.value-above-a-million', { value: 1_000_001 }, 'plugin.value.largest'),
  removing('remove', remove),
  removing('remove.bearer', (index) => remove(index, { as: 'bearer' })),
  removing('remove.no-key', (index) => remove(index, { key: null })),
  removing('remove.slash-behind', (index) => remove(`${index}/`), 'plugin.path.trailing-slash'),
  writing('status.after-changes', async (pair) => {
    for (let count = 0; count < minOwnRules; count += 1) await add(pair)
    await pair.send(status)
    await removeOwn(pair, 0, remove)
    await pair.send(status)
  }),
  { id: 'fill', risk: 'exclusive', fills: true, play: (pair) => overfill(pair) },
  {
    id: 'fill.invalid',
    risk: 'exclusive',
    fills: true,
    question: 'plugin.capacity.before-validation',
    play: (pair) => overfill(pair, { direction: undefined }),
  },
]

/** A rejected request. A faulty server that misreads a wrong index may remove any rule. */
function rejectedStep({ step, what, request }: RejectedRequest & { step: string }): ComparisonStep {
  const removes = what.startsWith('DELETE')
  return {
    id: step,
    risk: what.startsWith('GET') ? 'read' : 'write',
    question: step === 'status.no-key' ? 'plugin.auth.challenge' : undefined,
    ...(removes && { withoutForeignRules: true }),
    play: async (pair) => pair.send(request(situationIn(removes ? await pair.list() : [], pair.draft))),
  }
}

/** All steps that can show a difference between two servers, those with the lowest risk first. */
export const allSteps: readonly ComparisonStep[] = [
  ...ownSteps,
  ...Object.values(plainRows).flatMap(plainSteps),
  ...Object.values(methodRows).map(({ ids: [question, id], send }) =>
    writing(id, (pair) => pair.sendMethod(send), question),
  ),
  ...Object.values(additionRows).map(({ ids: [question, id], after, send }) => {
    const twice = after === 'the draft'
    const play = async (pair: ServerPair) => {
      const draft = pair.draft(twice ? { value: 1 } : {})
      if (twice) await pair.send(post(toJson(draft)))
      await pair.send(send(draft))
    }
    return writing(id, play, question)
  }),
  ...Object.values(removalRows).map(({ ids: [question, id], send, risk }) => ({
    ...removing(id, send, question),
    ...(risk && { risk, withoutForeignRules: true as const }),
  })),
  ...rejectedSteps.map(rejectedStep),
].toSorted((one, other) => risks.indexOf(one.risk) - risks.indexOf(other.risk))

export interface StepLimits {
  readonly risk: Risk
  readonly withoutForeignRules: boolean
  readonly capacity: number | null
  readonly maxFill: number
  readonly maxRequests: number
}

export function stepsFor(limits: StepLimits): readonly ComparisonStep[] {
  const { risk, withoutForeignRules, capacity, maxFill, maxRequests } = limits
  // Filling the list must leave most of the request budget for other steps.
  const mayFill = capacity !== null && capacity <= Math.min(maxFill, maxRequests / 20)
  return allSteps.filter(
    (step) =>
      risks.indexOf(step.risk) <= risks.indexOf(risk) &&
      (withoutForeignRules || !step.withoutForeignRules) &&
      (mayFill || step.fills !== true),
  )
}
