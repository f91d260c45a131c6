import { type Client, createClient } from '../../client/client.ts'
import { createRecorder } from '../../client/recorder.ts'
import type { Transport } from '../../client/transport.ts'
import { contentOf, type Draft, describeRule, type Rule } from '../../model/rule.ts'
import { ConcurrentEdit } from '../../safety/concurrent-edit.ts'
import type { Ledger } from '../../safety/ledger.ts'
import { missingFrom } from '../../safety/list-state.ts'
import { isWithin, type LoginRange } from '../../session/logins.ts'
import { holdConnection } from './held-connection.ts'
import { listWith } from './reading.ts'
import {
  asBefore,
  type DesiredParameters,
  type LifecycleOperator,
  type Person,
  type Purpose,
  StepFailed,
  type StepName,
  sameParameters,
} from './step.ts'
import { createVerification, type Seen } from './verification.ts'

/** How a server that the kit did not start is reached, and by whom its life cycle is driven. */
export interface LiveOptions {
  readonly url: string
  readonly transport: Transport
  /** The key that opens it. */
  readonly key: string
  readonly logins: LoginRange
  readonly hooks: LifecycleOperator
  /** Does what no hook does; null for nobody. */
  readonly person: Person | null
  readonly ledger: Ledger
  readonly timeoutMs: number
  /** How long a server that should come up may take. */
  readonly readyMs: number
  /** How long to wait for a server that may stay silent. */
  readonly briefMs: number
  readonly redact: (text: string) => string
}

/** What is known of the server. */
export interface LiveState {
  /** What holds since the last steps; null where they were broken off. */
  desired: DesiredParameters | null
  /** Keys of which one opens it: more than one where steps may or may not have had an effect. */
  keys: readonly string[]
  running: boolean
  /** Whether it answered after the last steps. */
  answering: boolean
  /** Whether the parameters may differ from those of before. */
  configured: boolean
  /** The rules of others, in their order. */
  order: readonly Draft[]
  /** Those of them that the steps took out of the list. */
  held: readonly Draft[]
  /** Whether any step was begun. */
  touched: boolean
}

/** Steps that belong together, and what must come of them. */
export interface Batch {
  readonly steps: readonly StepName[]
  readonly desired: DesiredParameters
  readonly patience: 'ready' | 'brief'
  /** Rules that may not be in the list any more. */
  readonly gone: readonly Draft[]
  readonly purpose: Purpose
}

/** A server that holds rules of others and is driven step by step. */
export interface LiveServer {
  readonly options: LiveOptions
  readonly state: LiveState
  readonly client: Client
  can(step: StepName): boolean
  /** The list with whichever key opens it; null if it cannot be read. */
  read(): Promise<readonly Rule[] | null>
  /**
   * Reads the list before it is taken away. Throws `ConcurrentEdit` if somebody else changed it, and
   * `StepFailed` if it ought to be readable and is not. Null where nobody could have changed it.
   */
  look(): Promise<readonly Rule[] | null>
  /**
   * Does the steps and looks whether they were really done. Resolves to whether the server answers.
   *
   * @throws {StepFailed} when a hook failed, or claims what was not done
   * @throws {StepSkipped} when a person would not do it
   */
  drive(batch: Batch): Promise<boolean>
}

export function createLiveServer(options: LiveOptions, state: LiveState): LiveServer {
  const { url, transport, hooks, person, ledger, logins, redact, timeoutMs } = options
  const client = createClient({
    baseUrl: url,
    transport,
    timeoutMs,
    pace: async () => undefined,
    recorder: createRecorder(redact),
  })

  const { verifyStopped, verifyDone } = createVerification(client, options)

  const read = async () => {
    for (const key of state.running ? state.keys : []) {
      const list = await listWith(client, key)
      if (list === null) continue
      state.keys = [key]
      return list
    }
    return null
  }
  const others = (list: readonly Rule[]) => list.filter((rule) => !isWithin(logins, rule))

  const look = async () => {
    const list = await read()
    if (list === null) {
      if (state.running && !state.configured) {
        throw new StepFailed('the list of rules cannot be read, so the server is not restarted')
      }
      return null
    }
    const expected = missingFrom(state.held, state.order)
    const gone = missingFrom(others(list), expected)
    const added = missingFrom(state.order, others(list))
    if (gone.length + added.length === 0) return list
    state.order = missingFrom(gone, state.order)
    throw new ConcurrentEdit('somebody else changed the list before the server was to be restarted', [
      ...gone.map((rule) => `missing: ${describeRule(rule)}`),
      ...added.map((rule) => `added: ${describeRule(contentOf(rule))}`),
    ])
  }

  /** The hook where there is one, else the person. */
  const operatorFor = (step: StepName): LifecycleOperator => {
    if (hooks.can(step)) return hooks
    if (person?.can(step)) return person
    throw new StepFailed(`nobody can do this step: there is no --hook-${step}`)
  }

  const perform = async ({ steps, desired, purpose }: Batch, answered: boolean) => {
    for (const { operator, part } of shares(steps, operatorFor)) {
      try {
        await operator.carryOut(part, desired, purpose)
      } catch (error) {
        // A server that does not answer may be down already, and cannot be stopped once more.
        if (!(error instanceof StepFailed && part.join() === 'stop' && !answered)) throw error
      }
      if (part.at(-1) === 'stop') {
        await verifyStopped()
        state.running = false
      }
    }
    state.running = true
  }

  /** Keeps what was seen after steps. */
  const learn = ({ answering, opened }: Seen) => {
    if (answering !== null) state.answering = answering
    if (opened === null) return
    state.keys = [opened.key]
    state.held = missingFrom(opened.list, state.order)
    ledger.append({ event: 'held', rules: state.held })
  }

  const drive = async (batch: Batch) => {
    const { steps, desired, patience, gone, purpose } = batch
    const [keyBefore] = state.keys
    const key = keyOf(desired, options.key)
    state.configured ||= !sameParameters(desired, asBefore)
    state.held = state.order
    ledger.append({ event: 'steps', steps, held: state.order, configured: state.configured })
    state.touched = true
    state.desired = null
    state.keys = [...new Set([...(key === null ? [] : [key]), ...state.keys])]
    const holds = steps.includes('restart') && state.running && state.answering && keyBefore !== undefined
    const answered = state.answering
    state.answering = false
    const heldConnection = holds ? await holdConnection(url, keyBefore, transport) : null
    const byPerson = steps.some((step) => !hooks.can(step))
    try {
      await perform(batch, answered)
      for (;;) {
        const seen = await verifyDone({
          heldConnection,
          key,
          patience,
          gone,
          copy: byPerson ? desired.copy : 'as-before',
        })
        learn(seen)
        if (seen.trouble === null) {
          state.desired = desired
          if (sameParameters(desired, asBefore)) state.configured = false
          return state.answering
        }
        if (!byPerson || person === null) throw new StepFailed(seen.trouble)
        const answer = await person.askAgain(seen.trouble, seen.mayAccept, purpose)
        if (answer === 'accept') {
          state.desired = desired
          return state.answering
        }
      }
    } finally {
      heldConnection?.release()
    }
  }

  return {
    options,
    state,
    client,
    can: (step) => hooks.can(step) || person?.can(step) === true,
    read,
    look,
    drive,
  }
}

/** The key that opens a server with these parameters; null where the API is disabled. */
function keyOf({ apiKey }: DesiredParameters, before: string): string | null {
  if (apiKey === 'as-before') return before
  return apiKey.value === '' ? null : apiKey.value
}

/** Neighbouring steps of the same hands together, so that a person is asked once for all of them. */
function shares(steps: readonly StepName[], operatorFor: (step: StepName) => LifecycleOperator) {
  const parts: { readonly operator: LifecycleOperator; readonly part: StepName[] }[] = []
  for (const step of steps) {
    const operator = operatorFor(step)
    const last = parts.at(-1)
    // Only a person takes several at once: after a stop by a hook the kit looks whether it is down.
    if (last?.operator === operator && last.part.at(-1) !== 'stop') last.part.push(step)
    else parts.push({ operator, part: [step] })
  }
  return parts
}
