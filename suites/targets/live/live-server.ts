import { setTimeout as delay } from 'node:timers/promises'
import { NoAnswer } from '../../http/answer.ts'
import { type Client, createClient } from '../../http/client.ts'
import { createRecorder } from '../../http/recorder.ts'
import type { Transport } from '../../http/transport.ts'
import { Interference } from '../../safety/interference.ts'
import type { Ledger } from '../../safety/ledger.ts'
import { foundIn, missingFrom } from '../../safety/list-state.ts'
import { isWithin, type LoginRange } from '../../session/logins.ts'
import { createPlugin } from '../../session/plugin.ts'
import { rulesIn } from '../../session/rules.ts'
import { FailedExpectation } from '../../vocabulary/failure.ts'
import { contentOf, type Draft, describeRule, type Rule } from '../../vocabulary/rule.ts'
import {
  asBefore,
  type Hands,
  type Person,
  type Purpose,
  StepFailed,
  type StepName,
  sameWish,
  type Wish,
} from './step.ts'
import { holdConnection, type Witness } from './witness.ts'

/** How a server that the kit did not start is reached, and by whom its life cycle is driven. */
export interface LiveOptions {
  readonly url: string
  readonly transport: Transport
  /** The key that opens it. */
  readonly key: string
  readonly logins: LoginRange
  readonly hooks: Hands
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
  wish: Wish | null
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
  readonly wish: Wish
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
   * Reads the list before it is taken away. Throws `Interference` if somebody else changed it, and
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

const pollMs = 25

export function createLiveServer(options: LiveOptions, state: LiveState): LiveServer {
  const { url, transport, hooks, person, ledger, logins, redact, timeoutMs } = options
  const client = createClient({
    baseUrl: url,
    transport,
    timeoutMs,
    pace: async () => undefined,
    recorder: createRecorder(redact),
  })

  const readWith = async (key: string): Promise<readonly Rule[] | null> => {
    try {
      return rulesIn(await createPlugin(client, key).list())
    } catch (error) {
      if (error instanceof NoAnswer || error instanceof FailedExpectation) return null
      throw error
    }
  }
  const read = async () => {
    for (const key of state.running ? state.keys : []) {
      const list = await readWith(key)
      if (list === null) continue
      state.keys = [key]
      return list
    }
    return null
  }
  const statusWith = async (key: string | null) => {
    try {
      return (await createPlugin(client, key ?? '').status(key === null ? { key: null } : {})).status
    } catch (error) {
      if (error instanceof NoAnswer) return null
      throw error
    }
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
    throw new Interference('somebody else changed the list before the server was to be restarted', [
      ...gone.map((rule) => `missing: ${describeRule(rule)}`),
      ...added.map((rule) => `added: ${describeRule(contentOf(rule))}`),
    ])
  }

  /** The hook where there is one, else the person. */
  const handsFor = (step: StepName): Hands => {
    if (hooks.can(step)) return hooks
    if (person?.can(step)) return person
    throw new StepFailed(`nobody can do this step: there is no --hook-${step}`)
  }

  const perform = async ({ steps, wish, purpose }: Batch, answered: boolean) => {
    for (const { hands, part } of shares(steps, handsFor)) {
      try {
        await hands.carryOut(part, wish, purpose)
      } catch (error) {
        // A server that does not answer may be down already, and cannot be stopped once more.
        if (!(error instanceof StepFailed && part.join() === 'stop' && !answered)) throw error
      }
      if (part.at(-1) === 'stop') {
        await untilSilent()
        state.running = false
      }
    }
    state.running = true
  }

  const untilSilent = async () => {
    const deadline = Date.now() + options.briefMs
    while ((await statusWith(null)) !== null) {
      if (Date.now() > deadline) throw new StepFailed('--hook-stop ended well, and the server still answers')
      await delay(pollMs)
    }
  }

  const drive = async (batch: Batch) => {
    const { steps, wish, patience, gone, purpose } = batch
    const [keyBefore] = state.keys
    const key = keyOf(wish, options.key)
    state.configured ||= !sameWish(wish, asBefore)
    state.held = state.order
    ledger.append({ event: 'steps', steps, held: state.order, configured: state.configured })
    state.touched = true
    state.wish = null
    state.keys = [...new Set([...(key === null ? [] : [key]), ...state.keys])]
    const holds = steps.includes('restart') && state.running && state.answering && keyBefore !== undefined
    const answered = state.answering
    state.answering = false
    const witness = holds ? await holdConnection(url, keyBefore, transport) : null
    const byPerson = steps.some((step) => !hooks.can(step))
    try {
      await perform(batch, answered)
      for (;;) {
        const seen = await verify({ witness, key, patience, gone, copy: byPerson ? wish.copy : 'as-before' })
        if (seen.trouble === null) {
          state.wish = wish
          if (sameWish(wish, asBefore)) state.configured = false
          return seen.answering
        }
        if (!byPerson || person === null) throw new StepFailed(seen.trouble)
        const answer = await person.askAgain(seen.trouble, seen.mayAccept, purpose)
        if (answer === 'accept') {
          state.wish = wish
          return seen.answering
        }
      }
    } finally {
      witness?.release()
    }
  }

  const verify = async ({ witness, key, patience, gone, copy }: Verification): Promise<Seen> => {
    if (witness !== null && (await outlives(witness, options.briefMs))) return { ...nothing, trouble: notRestarted }
    const { answering, refused } = await untilReady(key, patience)
    state.answering = answering
    if (refused) return { ...nothing, trouble: 'the server answers, but does not open with the API_Key it was to have' }
    if (!answering && patience === 'ready') {
      return { ...nothing, trouble: 'the server was to be started, and does not answer' }
    }
    if (!answering || key === null) return { answering, trouble: null, mayAccept: false }
    const list = await readWith(key)
    if (list === null) return { answering, trouble: null, mayAccept: false }
    state.keys = [key]
    state.held = missingFrom(list, state.order)
    ledger.append({ event: 'held', rules: state.held })
    const still = foundIn(list, gone)
    if (still.length > 0) return { answering, mayAccept: false, trouble: stillThere(still) }
    if (copy !== 'as-before' && !showsCopies(list, copy)) {
      return { answering, mayAccept: true, trouble: 'the list does not hold the rules of the Copy_N parameters' }
    }
    return { answering, trouble: null, mayAccept: false }
  }

  /** A server that has taken long before may take so long again. */
  let slowestMs = 0

  const untilReady = async (key: string | null, patience: 'ready' | 'brief') => {
    const begun = Date.now()
    const deadline = begun + (patience === 'ready' ? options.readyMs : Math.max(options.briefMs, 2 * slowestMs))
    for (;;) {
      const status = await statusWith(key)
      const answering = key === null ? status !== null : status === 200
      if (answering) {
        slowestMs = Math.max(slowestMs, Date.now() - begun)
        return { answering, refused: false }
      }
      if (Date.now() > deadline) return { answering: false, refused: key !== null && status === 401 }
      await delay(pollMs)
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

interface Verification {
  readonly witness: Witness | null
  readonly key: string | null
  readonly patience: 'ready' | 'brief'
  readonly gone: readonly Draft[]
  readonly copy: Wish['copy']
}

interface Seen {
  readonly answering: boolean
  /** What speaks against the steps having been done; null for nothing. */
  readonly trouble: string | null
  /** Whether the server itself may be at fault. */
  readonly mayAccept: boolean
}

const nothing = { answering: false, mayAccept: false }

const notRestarted =
  'the server was not restarted: a connection from before still serves requests. If a proxy keeps it open, give the address of the plugin itself'

function stillThere(rules: readonly Draft[]): string {
  const [first] = rules
  return `the rules file was to be deleted and the server restarted, and ${rules.length} rules of before are still in the list (${first === undefined ? '' : describeRule(contentOf({ index: 0, ...first }))}): either the file was not deleted, or the server wrote it back`
}

/** The key that opens a server with these parameters; null where the API is disabled. */
function keyOf({ apiKey }: Wish, before: string): string | null {
  if (apiKey === 'as-before') return before
  return apiKey.value === '' ? null : apiKey.value
}

/** A restart may go on in the background for a moment after it was asked for. */
async function outlives(witness: Witness, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (await witness.survived()) {
    if (Date.now() > deadline) return true
    await delay(pollMs)
  }
  return false
}

/** Whether at least one of these rules is there; which of them must be is for the checks to judge. */
function showsCopies(list: readonly Rule[], copy: Readonly<Record<string, string>>): boolean {
  const pairs = Object.values(copy).flatMap((value) => {
    const [, master, follower] = /^\s*(\d+)\s*>\s*(\d+)/.exec(value) ?? []
    return master === undefined ? [] : [`${master}>${follower}`]
  })
  return pairs.length === 0 || list.some(({ master, follower }) => pairs.includes(`${master}>${follower}`))
}

/** Neighbouring steps of the same hands together, so that a person is asked once for all of them. */
function shares(steps: readonly StepName[], handsFor: (step: StepName) => Hands) {
  const parts: { readonly hands: Hands; readonly part: StepName[] }[] = []
  for (const step of steps) {
    const hands = handsFor(step)
    const last = parts.at(-1)
    // Only a person takes several at once: after a stop by a hook the kit looks whether it is down.
    if (last?.hands === hands && last.part.at(-1) !== 'stop') last.part.push(step)
    else parts.push({ hands, part: [step] })
  }
  return parts
}
