import { setTimeout as pause } from 'node:timers/promises'
import { reject } from '../../defect-parts/reject.ts'
import { textOf, withMembers } from '../../defect-parts/wire.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

/** Long enough for requests that were sent at the same time to meet. */
const writingTakesMs = 20
const overlapMs = 10

function slowly(save: Hooks['save'], takesMs: number): Hooks['save'] {
  return async (write, change) => {
    await pause(takesMs)
    await save(write, change)
  }
}

/** A server that is wrong where a concurrent POST has taken the last free place. */
function atLastPlace(change: (hooks: Hooks, isTaken: () => boolean) => Partial<Hooks>): Override {
  return (hooks) => {
    let underWay = 0
    let isAdded = false
    let isTaken = false
    return {
      serialise: (mutex, apply) => {
        underWay++
        return hooks.serialise(mutex, apply).finally(() => {
          underWay--
          if (underWay > 0) return
          isAdded = false
          isTaken = false
        })
      },
      isFull: (rules, capacity) => {
        const isFull = hooks.isFull(rules, capacity)
        isTaken ||= isFull && isAdded
        isAdded ||= !isFull
        return isFull && !isTaken
      },
      save: slowly(hooks.save, overlapMs),
      ...change(hooks, () => isTaken),
    }
  }
}

/** A server that is wrong at the second of two concurrent DELETEs; `removedAt` is the index of the first. */
function atSecondRemoval(
  remove: (rules: RuleList, position: number, first: { removedAt: number } & Pick<Hooks, 'removeRule'>) => RuleList,
): Override {
  return ({ serialise, removeRule, save }) => {
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
        if (removedAt !== undefined) return remove(rules, position, { removedAt, removeRule })
        removedAt = position
        return removeRule(rules, position)
      },
      save: slowly(save, overlapMs),
    }
  }
}

/** What any server should withstand: changes that are requested at the same time, and responses that must agree. */
export const parallelDefects: readonly Defect[] = [
  {
    id: 'robust.update-lost',
    breaks: ['plugin.add.leaves-others', 'plugin.robust.overlapping-requests'],
    summary: 'Concurrent changes overwrite each other, so the last one wins.',
    override: ({ save }) => ({
      serialise: (_, change) => change(),
      save: slowly(save, writingTakesMs),
    }),
  },
  {
    id: 'robust.one-place-for-two',
    breaks: ['plugin.add.leaves-others', 'plugin.robust.overlapping-requests'],
    summary: 'Two concurrent POSTs get the same index, and one rule is lost.',
    override: ({ serialise, addRule, removeRule, fitCopiesToCapacity, save }) => {
      let length = Number.POSITIVE_INFINITY
      let chosen = length
      return {
        fitCopiesToCapacity: (copies, capacity) => {
          const rules = fitCopiesToCapacity(copies, capacity)
          length = rules.length
          return rules
        },
        serialise: (mutex, change) => {
          const place = length
          return serialise(mutex, () => {
            chosen = place
            return change()
          })
        },
        addRule: (rules, rule) => {
          const addition = addRule(rules.slice(0, chosen), rule)
          length = addition.rules.length
          return addition
        },
        removeRule: (rules, position) => {
          const left = removeRule(rules, position)
          length = left.length
          return left
        },
        save: slowly(save, writingTakesMs),
      }
    },
  },
  {
    id: 'robust.last-place-for-two',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'The capacity is checked when a request arrives, so two concurrent POSTs get the last free place.',
    override: ({ serialise, isFull, addRule, removeRule, save }) => {
      let length = 0
      let next = 0
      let seen = 0
      return {
        serialise: (mutex, change) => {
          const onArrival = length
          return serialise(mutex, () => {
            seen = onArrival
            return change()
          })
        },
        isFull: (rules, capacity) => isFull(rules.slice(0, seen), capacity),
        addRule: (rules, rule) => {
          const addition = addRule(rules, rule)
          next = addition.rules.length
          return addition
        },
        removeRule: (rules, position) => {
          const left = removeRule(rules, position)
          next = left.length
          return left
        },
        save: async (write, change) => {
          await slowly(save, writingTakesMs)(write, change)
          length = next
        },
      }
    },
  },
  {
    id: 'robust.follower-in-a-shared-variable',
    breaks: ['plugin.add.leaves-others', 'plugin.robust.overlapping-requests'],
    summary: 'The follower is read into a variable shared by all requests, so concurrent POSTs get the wrong one.',
    override: ({ fitLogin, addRule, save }) => {
      let follower = 0n
      return {
        fitLogin: (field, login) => {
          const kept = fitLogin(field, login)
          if (field === 'follower') follower = kept
          return kept
        },
        addRule: (rules, rule) => addRule(rules, { ...rule, follower }),
        save: slowly(save, writingTakesMs),
      }
    },
  },
  {
    id: 'robust.response-in-a-shared-variable',
    breaks: ['plugin.add.leaves-others'],
    summary: 'The response to a POST is written from a variable shared by all requests, so it names another rule.',
    override: ({ fitLogin, addedBody, save }) => {
      let follower = 0n
      return {
        fitLogin: (field, login) => {
          const stored = fitLogin(field, login)
          if (field === 'follower') follower = stored
          return stored
        },
        addedBody: (rule, index) => addedBody({ ...rule, follower }, index),
        save: slowly(save, writingTakesMs),
      }
    },
  },
  {
    id: 'robust.second-writer-turned-away-and-served',
    breaks: ['plugin.add.leaves-others', 'plugin.robust.overlapping-requests'],
    summary: 'A POST returns 503 while another change is saved, and adds its rule all the same.',
    override: ({ serialise, save }) => {
      let saving = false
      return {
        serialise: async (mutex, change) => {
          const isTurnedAway = saving
          const result = await serialise(mutex, change)
          return isTurnedAway ? reject(503, 'The rules are being saved.') : result
        },
        save: async (write, change) => {
          saving = true
          await slowly(save, writingTakesMs)(write, change)
          saving = false
        },
      }
    },
  },
  {
    id: 'robust.second-writer-turned-away',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'A change returns 503 while another one is being saved.',
    override: ({ serialise, save }) => {
      let saving = false
      return {
        serialise: (mutex, change) => (saving ? reject(503, 'The rules are being saved.') : serialise(mutex, change)),
        save: async (write, change) => {
          saving = true
          await pause(writingTakesMs)
          saving = false
          await save(write, change)
        },
      }
    },
  },
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
          await slowly(save, overlapMs)(write, change)
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
    id: 'overlap.new-rule-listed-before-its-value',
    breaks: ['plugin.rule.fields'],
    summary: 'While a change is saved, the last of three or more rules is listed with the value 0.',
    override: ({ save, writtenList, listBody }) => {
      let saving = 0
      return {
        save: async (write, change) => {
          saving++
          await slowly(save, overlapMs)(write, change)
          saving--
        },
        writtenList: (cached, write) => (saving > 0 ? write() : writtenList(cached, write)),
        listBody: (rules) =>
          listBody(
            rules.map((rule, at) =>
              saving > 0 && at > 1 && at === rules.length - 1 ? withMembers(rule, { value: 0 }) : rule,
            ),
          ),
      }
    },
  },
  {
    id: 'overlap.own-addition-listed-late',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'While a change is saved, the list is the one that was read before, without acknowledged changes.',
    override: ({ save, writtenList }) => {
      let saving = 0
      let idle: Uint8Array | undefined
      return {
        save: async (write, change) => {
          saving++
          await slowly(save, overlapMs)(write, change)
          saving--
        },
        writtenList: (cached, write) => {
          if (saving > 0 && idle !== undefined) return idle
          idle = writtenList(cached, write)
          return idle
        },
      }
    },
  },
  {
    id: 'overlap.last-place-overwritten',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'Of concurrent POSTs for the last free place each returns 201, and the last one overwrites the others.',
    override: atLastPlace(({ addRule }, isTaken) => ({
      addRule: (rules, rule) => addRule(isTaken() ? rules.slice(0, -1) : rules, rule),
    })),
  },
  {
    id: 'overlap.rejection-removes-the-last',
    breaks: ['plugin.robust.overlapping-requests'],
    summary:
      'A POST that finds the last place taken by a concurrent one returns 500, and removes the rule of that one.',
    override: atLastPlace(({ addRule, addedBody }, isTaken) => ({
      addRule: (rules, rule) => (isTaken() ? { rules: rules.slice(0, -1), position: 0 } : addRule(rules, rule)),
      addedBody: (rule, index) => (isTaken() ? { error: 'The capacity is reached.' } : addedBody(rule, index)),
      finish: (response) =>
        response.status === 201 && textOf(response).startsWith('{"error"') ? { ...response, status: 500 } : response,
    })),
  },
  {
    id: 'overlap.additions-answer-202',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'POST returns 202 while other changes are under way.',
    override: ({ serialise, save }) => {
      let underWay = 0
      let wasCrowded = false
      return {
        serialise: (mutex, change) => {
          underWay++
          wasCrowded = underWay > 1
          return serialise(mutex, change).finally(() => {
            underWay--
          })
        },
        save: slowly(save, overlapMs),
        finish: (response) => (response.status === 201 && wasCrowded ? { ...response, status: 202 } : response),
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
        save: slowly(save, overlapMs),
      }
    },
  },
  {
    id: 'overlap.two-removals-of-one-rule',
    breaks: ['plugin.delete.keeps-order', 'plugin.robust.overlapping-requests'],
    summary: 'A second concurrent DELETE of an index returns 200 and removes nothing.',
    override: atSecondRemoval((rules, position, { removedAt, removeRule }) =>
      removedAt === position ? rules : removeRule(rules, position),
    ),
  },
  {
    id: 'overlap.removals-at-both-ends',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'A second concurrent DELETE counts its index from the end of the list.',
    override: atSecondRemoval((rules, position, { removeRule }) => removeRule(rules, rules.length - 1 - position)),
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
          await slowly(save, overlapMs)(write, change)
          saved = changed
        },
      }
    },
  },
]
