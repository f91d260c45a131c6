import picomatch from 'picomatch'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import type { Question } from '../../spec/question.ts'
import { pluginChecks, pluginObservations } from '../checks/plugin/all.ts'
import type { Outcome } from '../runner/outcome.ts'
import { plan } from '../runner/plan.ts'
import type { PluginContext } from '../runner/plugin/context.ts'
import { runPlan } from '../runner/run-plan.ts'
import type { Case, Check } from '../session/check.ts'
import type { Session } from '../session/session.ts'
import { isErrorText } from './compare.ts'
import type { Divergence } from './search.ts'
import type { ComparisonStep } from './steps.ts'

export type Name =
  | { readonly kind: 'question'; readonly question: Question; readonly target: string; readonly twin: string }
  | {
      readonly kind: 'requirement'
      readonly id: string
      readonly statement: string
      readonly deviates: 'target' | 'twin'
    }
  /** The text of an error, which the profile records. */
  | { readonly kind: 'text' }
  | { readonly kind: 'unlisted' }

export interface Naming {
  readonly divergence: Divergence
  /** The contexts of both servers, with the same risk. Hooks, if there are any, drive only the target. */
  readonly target: PluginContext
  readonly twin: PluginContext
}

const questions = new Map<string, Question>(pluginQuestions.map((question) => [question.id, question]))

/**
 * Finds the reason for a divergence with more requests to both servers: first the question that the step shows, then
 * the requirements that it is about. If only one server meets a requirement, the other one deviates.
 */
export async function nameDivergence(naming: Naming): Promise<Name> {
  const counting = naming.divergence.differences.filter(({ wording }) => !wording)
  const isOfText = counting.every(({ place, target, twin }) => isErrorText(place) && target !== null && twin !== null)
  if (isOfText) return { kind: 'text' }
  return (await nameByQuestion(naming)) ?? (await nameByRequirement(naming)) ?? { kind: 'unlisted' }
}

async function nameByQuestion({ divergence: { step }, target, twin }: Naming): Promise<Name | null> {
  const question = questions.get(step.question ?? '')
  const observation = pluginObservations.find((one) => one.question === step.question)
  if (question === undefined || observation === undefined) return null
  if (!canAsk(observation, target) || !canAsk(observation, twin)) return null
  const answers = [await ask(observation, target), await ask(observation, twin)]
  const [one, other] = answers.map((outcome) => (outcome?.status === 'passed' ? outcome.answer : null))
  // An unknown answer does not name the question: a requirement may apply.
  if (!one || !other || one === other) return null
  return { kind: 'question', question, target: one, twin: other }
}

async function nameByRequirement({ divergence, target, twin }: Naming): Promise<Name | null> {
  for (const check of nearestFirst([...hints(divergence), ...requirementsOf(divergence.step), 'plugin.json.*'])) {
    // What only one server can be asked says nothing about the other one.
    if (!concerns(check.requirement, divergence) || [target, twin].some((server) => !canAsk(check, server))) continue
    const one = await ask(check, target)
    // The guard allows no more writes, or the target is gone, so nothing more can be learned.
    if (one?.status === 'error' || one?.stop !== null) return null
    const other = await ask(check, twin)
    const failed = [one.status === 'failed', other?.status === 'failed']
    if (failed[0] === failed[1]) continue
    const statement = pluginRequirements.find(({ id }) => id === check.requirement)?.statement ?? ''
    return { kind: 'requirement', id: check.requirement, statement, deviates: failed[0] ? 'target' : 'twin' }
  }
  return null
}

/** Whether a requirement can be the reason: a server may deviate from one that is about other responses. */
function concerns(requirement: string, { target, twin, differences }: Divergence): boolean {
  if (requirement.startsWith('plugin.json.')) {
    return differences.some(({ place }) => place.part === 'header' && place.name === 'content-type')
  }
  const isError = [target, twin].some((response) => response === null || response.status >= 400)
  return isError || !requirement.startsWith('plugin.errors.')
}

const aboutKey = ['plugin.auth.*', 'plugin.errors.*']

/** The requirements for the steps of each group, the most closely related first. */
const requirementsOfGroup: Readonly<Record<string, readonly string[]>> = {
  status: ['plugin.status.*'],
  list: ['plugin.list.*', 'plugin.rule.*'],
  'two-keys': aboutKey,
  bearer: aboutKey,
  path: ['plugin.path.*'],
  'unknown-path': ['plugin.path.*', 'plugin.errors.*'],
  head: ['plugin.method.*'],
  options: ['plugin.method.*'],
  method: ['plugin.method.*', 'plugin.errors.*'],
  add: ['plugin.add.*', 'plugin.errors.*', 'plugin.rule.*'],
  remove: ['plugin.delete.*', 'plugin.list.*', 'plugin.rule.*', 'plugin.errors.*'],
  fill: ['plugin.capacity.*'],
}

function requirementsOf({ id, risk }: ComparisonStep): readonly string[] {
  const [group = '', kind = ''] = id.split('.')
  const ofGroup = requirementsOfGroup[group] ?? []
  if (kind === 'bearer') return [...aboutKey, ...ofGroup]
  if (!['no-key', 'wrong-key'].includes(kind)) return ofGroup
  return [`plugin.auth.${risk === 'read' ? 'reads' : 'changes'}-need-key`, ...aboutKey, ...ofGroup]
}

/** Requirements that the difference points to: a rule is missing, or is not listed as sent, or only the total differs. */
function hints({ step, differences }: Divergence): readonly string[] {
  const [group = ''] = step.id.split('.')
  const listed = differences.filter(({ place }) => place.part === 'body' && place.pointer.startsWith('/rules/'))
  const isOfTotal = differences.some(({ place }) => place.part === 'body' && place.pointer === '/total')
  if (listed.length === 0 && isOfTotal) return ['plugin.list.total']
  // Only these steps read the list, or change it so that a later read shows a new rule.
  if (listed.length === 0 || !['add', 'fill', 'list'].includes(group)) return []
  // The responses were equal, so a rejected rule may have changed the full list.
  const full = group === 'fill' ? ['plugin.capacity.answers-500'] : []
  if (listed.some(({ target, twin }) => target === null || twin === null)) {
    return listed.some(({ target }) => target === null) ? ['plugin.list.*', ...full] : full
  }
  return ['plugin.rule.*', ...full]
}

/** The checks of these requirements, in the order of the globs. Those over the whole run say less about one step. */
function nearestFirst(requirements: readonly string[]): readonly Check[] {
  const globs = requirements.map((glob) => picomatch(glob))
  const rank = ({ requirement, concludes }: Check) =>
    globs.findIndex((matches) => matches(requirement)) + (concludes ? 0.5 : 0)
  return pluginChecks.filter((check) => rank(check) >= 0).toSorted((one, other) => rank(one) - rank(other))
}

const planned = (check: Case<Session>, { settings: { risk, target } }: PluginContext) =>
  plan({ checks: [check], risk, capabilities: target.capabilities, only: [], skip: [] })

/** Whether a check can run against a server. */
function canAsk(check: Case<Session>, context: PluginContext): boolean {
  return planned(check, context).every(({ outOfScope }) => outOfScope === null)
}

/** The outcome of one check. */
async function ask(check: Case<Session>, context: PluginContext): Promise<Outcome | undefined> {
  const [outcome] = await runPlan(planned(check, context), [check], context)
  return outcome
}
