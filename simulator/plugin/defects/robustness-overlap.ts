import { setTimeout as pause } from 'node:timers/promises'
import type { Hooks } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

/** Long enough for requests that were sent at the same time to meet. */
const writingTakesMs = 10

function slowly(save: Hooks['save']): Hooks['save'] {
  return async (write, change) => {
    await pause(writingTakesMs)
    await save(write, change)
  }
}

/** What goes wrong only while requests overlap, and is seen only by who compares all their answers. */
export const overlapDefects: readonly Defect[] = [
  {
    id: 'overlap.list-goes-back-in-time',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'A list that is read while a change is saved is cached until the next change.',
    override: ({ save, writtenList }) => {
      let saving = 0
      let pinned: Uint8Array | undefined
      return {
        save: async (write, change) => {
          pinned = undefined
          saving++
          await slowly(save)(write, change)
          saving--
        },
        writtenList: (cached, write) => {
          if (saving > 0) pinned ??= write()
          return pinned ?? writtenList(cached, write)
        },
      }
    },
  },
  {
    id: 'overlap.one-index-for-two',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'The returned index is computed before concurrent POSTs finish, so two get the same one.',
    // Where new rules go to the front, each of two may rightly be told the first index.
    maskedBy: [{ answers: { 'plugin.add.position': 'start' } }],
    override: ({ serialise, reportedIndex, save }) => {
      let underWay = 0
      return {
        serialise: (mutex, change) => {
          underWay++
          return serialise(mutex, change).finally(() => {
            underWay--
          })
        },
        reportedIndex: (position, total) => reportedIndex(Math.max(0, position - (underWay > 1 ? 1 : 0)), total),
        save: slowly(save),
      }
    },
  },
  {
    id: 'overlap.two-removals-of-one-rule',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'A second concurrent DELETE of an index returns 200 and removes nothing.',
    override: ({ serialise, removeRule, save }) => {
      let underWay = 0
      let removedAt: number | undefined
      return {
        serialise: (mutex, change) => {
          underWay++
          return serialise(mutex, change).finally(() => {
            underWay--
            if (underWay === 0) removedAt = undefined
          })
        },
        removeRule: (rules, position) => {
          if (removedAt === position) return rules
          removedAt = position
          return removeRule(rules, position)
        },
        save: slowly(save),
      }
    },
  },
  {
    id: 'overlap.removal-forgets-an-addition',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'DELETE works on an older copy of the list, so a rule added in between is lost.',
    override: ({ serialise, removeRule, addRule, fitCopiesToCapacity, save }) => {
      let saved: RuleList = []
      let changed: RuleList = []
      let asked: RuleList = []
      return {
        fitCopiesToCapacity: (copies, capacity) => {
          saved = fitCopiesToCapacity(copies, capacity)
          return saved
        },
        serialise: (mutex, change) => {
          const seen = saved
          return serialise(mutex, () => {
            asked = seen
            return change()
          })
        },
        addRule: (rules, rule) => {
          const addition = addRule(rules, rule)
          changed = addition.rules
          return addition
        },
        removeRule: (rules, position) => {
          changed = removeRule(asked.length > position ? asked : rules, position)
          return changed
        },
        save: async (write, change) => {
          await slowly(save)(write, change)
          saved = changed
        },
      }
    },
  },
]
