import { createClient } from '../../client/client.ts'
import { patient } from '../../client/rate-limit.ts'
import { createRecorder } from '../../client/recorder.ts'
import { contentOf, type Draft, type Rule, sameContent } from '../../model/rule.ts'
import type { Ledger } from '../../safety/ledger.ts'
import { ConcurrentEdit } from '../../safety/list-change-errors.ts'
import { differences, foundIn, haveSameOrder, missingFrom } from '../../safety/list-state.ts'
import { isWithin } from '../../session/logins.ts'
import { createStepRunner } from './drive-steps.ts'
import type { LiveOptions, LiveState } from './live-state.ts'
import { StepFailed, type StepName } from './step.ts'
import { listWith } from './verification.ts'

export type LiveServer = ReturnType<typeof createLiveServer>

export function createLiveServer(options: LiveOptions, state: LiveState) {
  const { url: baseUrl, transport, pace, redact, timeoutMs } = options
  const client = patient(createClient({ baseUrl, transport, timeoutMs, pace, recorder: createRecorder(redact) }))

  const read = async () => {
    for (const key of state.running ? state.keys : []) {
      const list = await listWith(client, key)
      if (list === null) continue
      state.keys = [key]
      return list
    }
    return null
  }

  return {
    options,
    state,
    client,
    /** The list, read with the first key that the server accepts; null if it cannot be read. */
    read,
    /**
     * Reads the list before steps that may empty it. Null if the list cannot be read and cannot have changed. Throws
     * `ConcurrentEdit` if the foreign rules changed, and `StepFailed` if the list should be readable but is not.
     */
    async readUnchanged() {
      const list = await read()
      if (list !== null) {
        requireUnchanged(list, state, options)
        noticeOrder(list, state, options.ledger)
      } else if (state.running && !state.configured) {
        throw new StepFailed('the list of rules cannot be read, so the server is not restarted')
      }
      return list
    },
    /**
     * Does the steps and verifies their result. Resolves to whether the server answers. Throws `StepFailed` if a hook
     * failed or had no effect, and `StepSkipped` if a person skipped a step.
     */
    drive: createStepRunner(options, state, client),
  }
}

/** Throws `ConcurrentEdit` if the foreign rules are not the expected ones. */
function requireUnchanged(list: readonly Rule[], state: LiveState, { logins }: LiveOptions): void {
  const foreign = list.filter((rule) => !isWithin(logins, rule))
  const gone = missingFrom(foreign, missingFrom(state.removed, state.order))
  const added = missingFrom(state.order, foreign)
  if (gone.length + added.length === 0) return
  state.order = missingFrom(gone, state.order)
  throw new ConcurrentEdit('another client changed the list before a restart', differences(gone, added))
}

/** These steps within a restart. With separate stop and start the server is down while they are done. */
export function restartWith({ options, state }: LiveServer, steps: readonly StepName[]): readonly StepName[] {
  const { hooks } = options
  if (!(hooks.can('stop') && hooks.can('start'))) return [...steps, 'restart']
  return state.running ? ['stop', ...steps, 'start'] : [...steps, 'start']
}

/** Adopts the order that another client has given to the foreign rules since the list was last read. */
export function noticeOrder(list: readonly Rule[], state: LiveState, ledger: Ledger): void {
  const { seen, order } = state
  state.seen = list
  if (seen === null || haveSameOrder(seen, list)) return
  const present = foundIn(order, list).map(contentOf)
  state.order = withMissing(present, missingFrom(present, order), order)
  ledger.append({ event: 'order', order: state.order })
}

/** The present rules in the order of the list, with each missing rule after its former predecessor. */
function withMissing(present: readonly Draft[], missing: readonly Draft[], order: readonly Draft[]): readonly Draft[] {
  const wanted = [...present]
  const absent = new Set(foundIn(missing, missingFrom(present, order)))
  let at = 0
  for (const rule of order) {
    const isSame = (other: Draft) => sameContent(other, rule)
    if (absent.has(rule)) {
      wanted.splice(at, 0, rule)
      at += 1
    } else if (wanted.some(isSame)) {
      const later = wanted.findIndex((other, place) => place >= at && isSame(other))
      at = (later === -1 ? wanted.findIndex(isSame) : later) + 1
    }
  }
  return wanted
}
