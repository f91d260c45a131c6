import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import { contentOf, type Draft, describeRule, type Rule } from '../../model/rule.ts'
import { foundIn } from '../../safety/list-state.ts'
import type { HeldConnection } from './held-connection.ts'
import { listWith, statusWith } from './reading.ts'
import { type DesiredParameters, StepFailed } from './step.ts'

/** What must come of steps. */
export interface Expected {
  /** A connection from before that a restart must have cut; null where nothing can show it. */
  readonly heldConnection: HeldConnection | null
  /** The key that must open the server; null where its API is disabled. */
  readonly key: string | null
  readonly patience: 'ready' | 'brief'
  /** Rules that may not be in the list any more. */
  readonly gone: readonly Draft[]
  /** The `Copy_N` of which the list must hold a rule. */
  readonly copy: DesiredParameters['copy']
}

/** What there is to be seen after steps. */
export interface Seen {
  /** Null where it was not asked, because the server was not even restarted. */
  readonly answering: boolean | null
  /** The list, and the key that it was read with; null if it was not read. */
  readonly opened: { readonly key: string; readonly list: readonly Rule[] } | null
  /** What speaks against the steps having been done; null for nothing. */
  readonly trouble: string | null
  /** Whether the server itself may be at fault. */
  readonly mayAccept: boolean
}

/** Looks whether steps were really done, whatever was claimed of them. */
export interface Verification {
  /** @throws {StepFailed} when a server that was to be stopped still answers */
  verifyStopped(): Promise<void>
  verifyDone(expected: Expected): Promise<Seen>
}

interface Patience {
  /** How long a server that should come up may take. */
  readonly readyMs: number
  /** How long to wait for a server that may stay silent. */
  readonly briefMs: number
}

const pollMs = 25

export function createVerification(client: Client, { readyMs, briefMs }: Patience): Verification {
  /** A server that has taken long before may take so long again. */
  let slowestMs = 0

  const untilReady = async (key: string | null, patience: 'ready' | 'brief') => {
    const begun = Date.now()
    const deadline = begun + (patience === 'ready' ? readyMs : Math.max(briefMs, 2 * slowestMs))
    for (;;) {
      const status = await statusWith(client, key)
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
    async verifyStopped() {
      const deadline = Date.now() + briefMs
      while ((await statusWith(client, null)) !== null) {
        if (Date.now() > deadline) throw new StepFailed('--hook-stop ended well, and the server still answers')
        await delay(pollMs)
      }
    },
    async verifyDone({ heldConnection, key, patience, gone, copy }) {
      if (heldConnection !== null && (await outlives(heldConnection, briefMs))) {
        return { ...closed, answering: null, trouble: notRestarted }
      }
      const { answering, refused } = await untilReady(key, patience)
      if (refused) return { ...closed, answering, trouble: notOpened }
      if (!answering && patience === 'ready') return { ...closed, answering, trouble: notStarted }
      if (!answering || key === null) return { ...closed, answering }
      const list = await listWith(client, key)
      if (list === null) return { ...closed, answering }
      const seen = { answering, opened: { key, list } }
      const still = foundIn(list, gone)
      if (still.length > 0) return { ...seen, trouble: stillThere(still), mayAccept: false }
      if (copy !== 'as-before' && !showsCopies(list, copy)) return { ...seen, trouble: notCopied, mayAccept: true }
      return { ...seen, trouble: null, mayAccept: false }
    },
  }
}

/** A server whose list was not read. */
const closed = { opened: null, trouble: null, mayAccept: false }

const notRestarted =
  'the server was not restarted: a connection from before still serves requests. If a proxy keeps it open, give the address of the plugin itself'
const notOpened = 'the server answers, but does not open with the API_Key it was to have'
const notStarted = 'the server was to be started, and does not answer'
const notCopied = 'the list does not hold the rules of the Copy_N parameters'

function stillThere(rules: readonly Draft[]): string {
  const [first] = rules
  return `the rules file was to be deleted and the server restarted, and ${rules.length} rules of before are still in the list (${first === undefined ? '' : describeRule(contentOf({ index: 0, ...first }))}): either the file was not deleted, or the server wrote it back`
}

/** A restart may go on in the background for a moment after it was asked for. */
async function outlives(heldConnection: HeldConnection, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (await heldConnection.survived()) {
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
