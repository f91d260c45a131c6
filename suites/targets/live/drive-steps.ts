import type { Client } from '../../client/client.ts'
import { contentOf, type Draft } from '../../model/rule.ts'
import { changedBetween, missingFrom } from '../../safety/list-state.ts'
import { isWithin } from '../../session/logins.ts'
import type { Batch, LiveOptions, LiveState } from './live-state.ts'
import { asBefore, type LifecycleOperator, StepFailed, type StepName, sameParameters } from './step.ts'
import { createVerification, type HeldConnection, holdConnection, type StepsResult } from './verification.ts'

export function createStepRunner(options: LiveOptions, state: LiveState, client: Client) {
  const { hooks, person, ledger } = options
  const { isDown, verifyDone } = createVerification(client, options)

  const perform = async ({ steps, desired, purpose = 'check' }: Batch, answered: boolean) => {
    for (const { operator, part } of groupByOperator(steps, options)) {
      try {
        await operator.carryOut(part, desired, purpose)
      } catch (error) {
        // A silent server may already be down, when it cannot be stopped.
        if (!(error instanceof StepFailed && part.join() === 'stop' && !answered)) throw error
      }
      if (part.at(-1) === 'stop') {
        // A server that may be down must be started again, whatever else responds at its address.
        if (!(await isDown()) && purpose === 'check')
          throw new StepFailed('`--hook-stop` exited with code 0, but the server still answers')
        state.running = false
      }
    }
    state.running = true
  }

  /** `taken`: the foreign rules that were removed from the list before. */
  const update = ({ answering, opened }: StepsResult, { steps, desired }: Batch, taken: readonly Draft[]) => {
    if (answering !== null) state.answering = answering
    if (opened === null) return
    const keepsFile = !steps.includes('delete-rules-file')
    // Only then can other clients also change the list during the steps.
    const isOpen = keepsFile && desired.apiKey === 'as-before'
    state.keys = [opened.key]
    state.seen = opened.list
    const foreign = opened.list.filter((rule) => !isWithin(options.logins, rule))
    const kept = keepsFile ? missingFrom(taken, state.order) : []
    // Added again, a rule that the server has changed would be there twice.
    const changed = changedBetween(kept, foreign.map(contentOf))
    const unchanged = state.order.filter((rule) => !changed.has(rule))
    state.order = state.order.map((rule) => changed.get(rule) ?? rule)
    const missing = missingFrom(opened.list, unchanged)
    const isWhole = missing.length > 1 && missing.length === unchanged.length
    // If single rules are missing, the server lost them, or another client removed them.
    const possible = isOpen && !isWhole ? missingFrom(taken, missing) : []
    state.order = missingFrom(possible, state.order)
    const rules = [...changed.keys(), ...possible]
    if (rules.length > 0) ledger.append({ event: 'possibly-lost', rules, unlisted: false })
    state.removed = missingFrom(possible, missing)
    ledger.append({ event: 'held', rules: state.removed })
  }

  /** Verifies the steps until the result is as expected or a person accepts it. */
  const verify = async (batch: Batch, taken: readonly Draft[], heldConnection: HeldConnection | null) => {
    const { steps, desired, wait = 'ready', gone = [], purpose = 'check' } = batch
    const byPerson = steps.some((step) => !hooks.can(step))
    const copy = byPerson ? desired.copy : 'as-before'
    for (;;) {
      const result = await verifyDone({ wait, gone, heldConnection, key: keyOf(desired, options.key), copy })
      update(result, batch, taken)
      if (result.problem === null) {
        if (sameParameters(desired, asBefore)) state.configured = false
        return
      }
      if (!byPerson || person === null) throw new StepFailed(result.problem)
      if ((await person.askAgain(result.problem, result.mayAccept, purpose)) === 'accept') return
    }
  }

  return async (batch: Batch): Promise<boolean> => {
    const [keyBefore] = state.keys
    const { answering: answered, removed: taken } = state
    const mustClose = batch.steps.includes('restart') && state.running && answered
    begin(batch, options, state)
    const heldConnection = mustClose && keyBefore !== undefined ? await holdConnection(keyBefore, options) : null
    try {
      await perform(batch, answered)
      await verify(batch, taken, heldConnection)
      state.desired = batch.desired
      return state.answering
    } finally {
      heldConnection?.release()
    }
  }
}

/** Records the steps before the first one. Until they are verified the state is uncertain. */
function begin({ steps, desired }: Batch, { ledger, key: original }: LiveOptions, state: LiveState): void {
  const key = keyOf(desired, original)
  state.configured ||= !sameParameters(desired, asBefore)
  state.removed = state.order
  ledger.append({ event: 'steps', steps, held: state.order, configured: state.configured })
  state.desired = null
  state.keys = [...new Set([...(key === null ? [] : [key]), ...state.keys])]
  state.answering = false
}

/** The key of a server with these parameters; null if the API is disabled. */
function keyOf({ apiKey }: Batch['desired'], original: string): string | null {
  if (apiKey === 'as-before') return original
  return apiKey.value === '' ? null : apiKey.value
}

/** Groups consecutive steps of the same operator, so that a person is asked once for all of them. */
function groupByOperator(steps: readonly StepName[], options: LiveOptions) {
  const groups: { readonly operator: LifecycleOperator; readonly part: StepName[] }[] = []
  for (const step of steps) {
    const operator = operatorFor(step, options)
    const last = groups.at(-1)
    // After a stop by a hook the kit verifies that the server is down, so the group ends there.
    if (last?.operator === operator && last.part.at(-1) !== 'stop') last.part.push(step)
    else groups.push({ operator, part: [step] })
  }
  return groups
}

/** The hook if there is one, otherwise the person. */
function operatorFor(step: StepName, { hooks, person }: LiveOptions): LifecycleOperator {
  if (hooks.can(step)) return hooks
  if (person?.can(step)) return person
  throw new StepFailed(`no one can do this step: give \`--hook-${step}\` or \`--manual\``)
}
