import type { Track } from '../../server/api.ts'
import { endOfTurn } from '../../server/end-of-turn.ts'
import type { HttpResponse } from '../../server/response.ts'
import { changeBetween, type ListChange, type RuleList } from '../model/rule-list.ts'
import type { AppliedOperation, GroupCommit } from '../service.ts'
import type { SaveChanges } from '../store/file-format.ts'
import type { LiveList } from '../store/live-list.ts'

interface WaitingChange {
  readonly apply: () => AppliedOperation
  readonly track: Track | undefined
  readonly succeed: (response: HttpResponse) => void
  readonly fail: (error: unknown) => void
}

interface AppliedChange {
  readonly waiting: WaitingChange
  readonly response: HttpResponse
  readonly rules: RuleList
  readonly change: ListChange | undefined
}

/**
 * Changes that arrive in one turn of the event loop, or while the file is written, form a group: they are applied one
 * after the other and saved by one write. If saving fails, no client has seen any of them.
 */
export function groupCommit(list: LiveList, save: SaveChanges): GroupCommit {
  let waiting: WaitingChange[] = []
  const commit = async () => {
    // If nothing waits for the disk, each change would otherwise be a group of its own.
    await endOfTurn()
    const group = waiting
    waiting = []
    const applied = applyAll(group, list)
    const last = applied.at(-1)
    if (last === undefined) return
    try {
      await save({ from: list.rules(), changes: applied.map(({ change }) => change), to: last.rules })
    } catch (error) {
      for (const { waiting } of applied) waiting.fail(error)
      return
    }
    for (const { rules, response, waiting } of applied) {
      list.publish(rules)
      waiting.track?.onStage('render')
      waiting.succeed(response)
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
        waiting.track?.onStage('apply')
        const { response, change } = waiting.apply()
        waiting.track?.onStage('save')
        const before = list.rules()
        const rules = change?.rules ?? before
        list.publish(rules)
        applied.push({ waiting, response, rules, change: changeBetween(before, rules) })
      } catch (error) {
        waiting.fail(error)
      }
    }
  })
  return applied
}
