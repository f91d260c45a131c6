import { endOfTurn } from '../../server/end-of-turn.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { Track } from '../../server/track.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { LiveList } from '../store/live-list.ts'
import type { AppliedOperation } from './apply.ts'

/** Applies a change when it is next, and resolves when it is saved and visible. */
export type GroupCommit = (apply: () => AppliedOperation, track: Track) => Promise<HttpResponse>

interface WaitingChange {
  readonly apply: () => AppliedOperation
  readonly track: Track
  readonly succeed: (response: HttpResponse) => void
  readonly fail: (error: unknown) => void
}

interface AppliedChange extends WaitingChange {
  readonly response: HttpResponse
  readonly rules: RuleList
}

/**
 * Changes that arrive in one turn of the event loop, or while the file is written, form a group: they are applied one
 * after the other and saved by one write. If saving fails, no client has seen any of them.
 */
export function groupCommit(list: LiveList, save: (lists: readonly RuleList[]) => Promise<void>): GroupCommit {
  let waiting: WaitingChange[] = []
  const commit = async () => {
    // If nothing waits for the disk, each change would otherwise be a group of its own.
    await endOfTurn()
    const group = waiting
    waiting = []
    const applied = applyAll(group, list)
    if (applied.length === 0) return
    try {
      await save(applied.map(({ rules }) => rules))
    } catch (error) {
      for (const { fail } of applied) fail(error)
      return
    }
    for (const { rules, response, track, succeed } of applied) {
      list.publish(rules)
      track.onStage('render')
      succeed(response)
    }
  }
  return (apply, track) =>
    new Promise((succeed, fail) => {
      waiting.push({ apply, track, succeed, fail })
      if (waiting.length === 1) void list.mutex.runExclusive(commit)
    })
}

/** Applies each change to the list that the previous one made. */
function applyAll(group: readonly WaitingChange[], list: LiveList): readonly AppliedChange[] {
  const applied: AppliedChange[] = []
  list.attempt(() => {
    for (const waiting of group) {
      try {
        waiting.track.onStage('apply')
        const { response, change } = waiting.apply()
        waiting.track.onStage('save')
        const rules = change?.rules ?? list.rules()
        list.publish(rules)
        applied.push({ ...waiting, response, rules })
      } catch (error) {
        waiting.fail(error)
      }
    }
  })
  return applied
}
