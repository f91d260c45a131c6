import { reject } from '../../defect-parts/reject.ts'
import { asks } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { knowingCapacity } from './overrides.ts'

/** A server that accepts a rule when the list is full, and makes room for it. */
function acceptsWhenFull(makeRoom: (rules: RuleList) => RuleList): Defect['override'] {
  return (hooks) => {
    let full = false
    return {
      isFull: (rules, capacity) => {
        full = hooks.isFull(rules, capacity)
        return false
      },
      addRule: (rules, rule) => hooks.addRule(full ? makeRoom(rules) : rules, rule),
    }
  }
}

/** A server that rejects a rule when the list is full, and changes the list all the same. */
function rejectsWhenFull(change: (rules: RuleList, rule: Rule) => RuleList): Defect['override'] {
  return ({ isFull, addRule, encodeJson }) => {
    let full = false
    return {
      isFull: (rules, capacity) => {
        full = isFull(rules, capacity)
        return false
      },
      addRule: (rules, rule) => (full ? { rules: change(rules, rule), position: 0 } : addRule(rules, rule)),
      finish: (response, request) =>
        full && asks(request, 'POST') && response.status === 201
          ? { ...response, status: 500, body: encodeJson({ error: 'The capacity is reached.' }) }
          : response,
    }
  }
}

/** A server in whose full list a removal makes room for two rules. */
function makesRoomForTwo(where: (position: number, rules: RuleList) => boolean): Defect['override'] {
  return ({ isFull, removeRule }) => {
    let wasFull = false
    let extra = 0
    return {
      isFull: (rules, capacity) => {
        wasFull = isFull(rules, capacity)
        return isFull(rules, capacity + extra)
      },
      removeRule: (rules, position) => {
        if (wasFull && where(position, rules)) extra++
        return removeRule(rules, position)
      },
    }
  }
}

/** Clause 8: what happens at capacity, and at the last place of a full list. */
export const capacityDefects: readonly Defect[] = [
  {
    id: 'capacity.answers-400',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'POST to a full list returns 400.',
    override: () => ({ capacityReached: () => new ErrorResponse(400, 'The capacity is reached.') }),
  },
  {
    id: 'capacity.answers-507',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'POST to a full list returns 507.',
    override: () => ({ capacityReached: () => new ErrorResponse(507, 'The capacity is reached.') }),
  },
  {
    id: 'capacity.oldest-makes-room',
    breaks: ['plugin.capacity.answers-500', 'plugin.add.leaves-others'],
    summary: 'POST to a full list is accepted and removes the oldest rule.',
    override: acceptsWhenFull((rules) => rules.slice(1)),
  },
  {
    id: 'capacity.newest-makes-room',
    breaks: ['plugin.capacity.answers-500', 'plugin.add.leaves-others'],
    summary: 'POST to a full list is accepted and overwrites the last rule.',
    override: acceptsWhenFull((rules) => rules.slice(0, -1)),
  },
  {
    id: 'capacity.acknowledged-and-not-stored',
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.lists-all', 'plugin.add.leaves-others'],
    summary: 'POST to a full list returns 201 and adds nothing.',
    override: ({ addRule, isFull }) => {
      let full = false
      return {
        isFull: (rules, capacity) => {
          full = isFull(rules, capacity)
          return false
        },
        addRule: (rules, rule) => (full ? { rules, position: rules.length } : addRule(rules, rule)),
      }
    },
  },
  {
    id: 'capacity.refused-and-stored',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'POST to a full list returns 500, but replaces the last rule.',
    override: rejectsWhenFull((rules, rule) => [...rules.slice(0, -1), rule]),
  },
  {
    id: 'capacity.rejection-moves-the-oldest',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'POST to a full list returns 500, but moves the first rule to the end of the list.',
    override: rejectsWhenFull(([first, ...others]) => (first === undefined ? [] : [...others, first])),
  },
  {
    id: 'capacity.none',
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.exact'],
    summary: 'The list is never full.',
    override: () => ({ isFull: () => false }),
  },
  {
    id: 'capacity.refuses-once',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'A full list rejects one rule and then grows.',
    override: ({ isFull }) => {
      let refused = false
      return {
        isFull: (rules, capacity) => {
          const full = isFull(rules, capacity) && !refused
          refused ||= full
          return full
        },
      }
    },
  },
  {
    id: 'capacity.full-once-full-for-ever',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'A list that was full once rejects every later rule.',
    override: ({ isFull }) => {
      let wasFull = false
      return {
        isFull: (rules, capacity) => {
          wasFull ||= isFull(rules, capacity)
          return wasFull
        },
      }
    },
  },
  {
    id: 'capacity.room-of-the-last-rule-instead',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'After a rejection at capacity and a DELETE, the next rule replaces the last one.',
    override: ({ isFull, addRule }) => {
      let wasFull = false
      return {
        isFull: (rules, capacity) => {
          const full = isFull(rules, capacity)
          wasFull ||= full
          return full
        },
        addRule: (rules, rule) => {
          const kept = wasFull ? rules.slice(0, -1) : rules
          wasFull = false
          return addRule(kept, rule)
        },
      }
    },
  },
  {
    id: 'capacity.removal-makes-room-for-two',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE of any rule but the last of a full list makes room for two, so the list exceeds its capacity.',
    override: makesRoomForTwo((position, rules) => position < rules.length - 1),
  },
  {
    id: 'capacity.removal-of-first-makes-room-for-two',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE of the first rule of a full list makes room for two, so the list exceeds its capacity.',
    override: makesRoomForTwo((position) => position === 0),
  },
  {
    id: 'capacity.removal-loses-the-last',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE in a full list also loses the last rule.',
    override: knowingCapacity(({ isFull, removeRule }, capacity) => ({
      removeRule: (rules, position) =>
        removeRule(isFull(rules, capacity()) && position < capacity() - 1 ? rules.slice(0, -1) : rules, position),
    })),
  },
  {
    id: 'capacity.full-list-refuses-removals',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE in a full list returns 500.',
    override: knowingCapacity(({ isFull, holdsPosition }, capacity) => ({
      holdsPosition: (rules, position) =>
        isFull(rules, capacity()) ? reject(500, 'The capacity is reached.') : holdsPosition(rules, position),
    })),
  },
  {
    id: 'capacity.last-place-answered-404',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE of the last rule of a full list returns 404.',
    override: knowingCapacity(({ holdsPosition }, capacity) => ({
      holdsPosition: (rules, position) => position < capacity() - 1 && holdsPosition(rules, position),
    })),
  },
  {
    id: 'capacity.last-place-kept',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE of the last rule of a full list returns 200 and removes nothing.',
    override: knowingCapacity(({ removeRule }, capacity) => ({
      removeRule: (rules, position) => (position === capacity() - 1 ? rules : removeRule(rules, position)),
    })),
  },
  {
    id: 'capacity.index-of-last-place',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The returned index of the rule that fills the list is one too high.',
    override: knowingCapacity(({ reportedIndex }, capacity) => ({
      reportedIndex: (position, total) => reportedIndex(position, total) + (total === capacity() ? 1 : 0),
    })),
  },
  {
    id: 'capacity.behind-last-place-is-the-last',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE of the first index past the end of a full list returns 404, but removes the last rule.',
    override: knowingCapacity(({ holdsPosition, removeRule, errorBody, encodeJson }, capacity) => {
      let isBehind = false
      return {
        holdsPosition: (rules, position) => {
          isBehind = rules.length === capacity() && position === capacity()
          return isBehind || holdsPosition(rules, position)
        },
        removeRule: (rules, position) => removeRule(rules, isBehind ? position - 1 : position),
        finish: (response, { method }) =>
          isBehind && method === 'DELETE'
            ? { ...response, status: 404, body: encodeJson(errorBody('There is no such rule.', 404)) }
            : response,
      }
    }),
  },
  {
    id: 'capacity.behind-last-place-is-confirmed',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE of the first index past the end of a full list returns 200 and removes nothing.',
    override: knowingCapacity(({ holdsPosition }, capacity) => ({
      holdsPosition: (rules, position) =>
        holdsPosition(rules, position) || (rules.length === capacity() && position === capacity()),
    })),
  },
  {
    id: 'capacity.full-list-filled-from-its-end',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE in the middle of a full list moves the last rule into the removed position.',
    override: knowingCapacity(({ removeRule }, capacity) => ({
      removeRule: (rules, position) => {
        const last = rules.at(-1)
        const isBetween = position > 0 && position < rules.length - 1
        return rules.length === capacity() && isBetween && last !== undefined
          ? rules.slice(0, -1).with(position, last)
          : removeRule(rules, position)
      },
    })),
  },
  {
    id: 'capacity.first-place-filled-from-the-end',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE of the first rule of a full list moves the last rule to its position.',
    override: knowingCapacity(({ removeRule }, capacity) => ({
      removeRule: (rules, position) => {
        const last = rules.at(-1)
        return rules.length === capacity() && position === 0 && last !== undefined
          ? [last, ...rules.slice(1, -1)]
          : removeRule(rules, position)
      },
    })),
  },
  {
    id: 'capacity.rejected-value-uses-a-place',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'Every POST that is rejected for its value uses up a place until the next start.',
    override: ({ isFull, readValue }) => {
      let rejected = 0
      return {
        isFull: (rules, capacity) => isFull(rules, Math.max(0, capacity - rejected)),
        readValue: (value) => {
          rejected += 1
          const read = readValue(value)
          rejected -= 1
          return read
        },
      }
    },
  },
  {
    id: 'capacity.rejected-body-uses-a-place',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'Every POST that returns 400 uses up a place until the next start.',
    override: ({ isFull }) => {
      let rejected = 0
      return {
        isFull: (rules, capacity) => isFull(rules, Math.max(0, capacity - rejected)),
        finish: (response, { method }) => {
          if (method === 'POST' && response.status === 400) rejected += 1
          return response
        },
      }
    },
  },
]
