import { reject } from '../../defect-parts/reject.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'
import { asks } from './wire.ts'

/** Clause 8: what happens at capacity. */
export const capacityDefects: readonly Defect[] = [
  {
    id: 'capacity.answers-400',
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.refuses-every-time'],
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
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.changes-nothing', 'plugin.capacity.refuses-every-time'],
    summary: 'POST to a full list is accepted and removes the oldest rule.',
    override: ({ isFull, addRule }) => {
      let full = false
      return {
        isFull: (rules, capacity) => {
          full = isFull(rules, capacity)
          return false
        },
        addRule: (rules, rule) => addRule(full ? rules.slice(1) : rules, rule),
      }
    },
  },
  {
    id: 'capacity.refused-and-stored',
    breaks: ['plugin.capacity.changes-nothing', 'plugin.capacity.refuses-every-time'],
    summary: 'POST to a full list returns 500, but replaces the last rule.',
    override: ({ isFull, addRule, encodeJson }) => {
      let full = false
      return {
        isFull: (rules, capacity) => {
          full = isFull(rules, capacity)
          return false
        },
        addRule: (rules, rule) => addRule(full ? rules.slice(0, -1) : rules, rule),
        finish: (response, request) =>
          full && asks(request, 'POST') && response.status === 201
            ? { ...response, status: 500, body: encodeJson({ error: 'The capacity is reached.' }) }
            : response,
      }
    },
  },
  {
    id: 'capacity.refuses-once',
    breaks: ['plugin.capacity.refuses-every-time'],
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
    id: 'capacity.removal-makes-room-for-two',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE in a full list makes room for two rules, so the list exceeds its capacity.',
    override: ({ isFull, removeRule }) => {
      let wasFull = false
      let extra = 0
      return {
        isFull: (rules, capacity) => {
          wasFull = isFull(rules, capacity)
          return isFull(rules, capacity + extra)
        },
        removeRule: (rules, position) => {
          if (wasFull) extra++
          return removeRule(rules, position)
        },
      }
    },
  },
  {
    id: 'capacity.removal-loses-the-last',
    breaks: ['plugin.capacity.room-after-delete'],
    summary: 'DELETE in a full list also loses the last rule.',
    override: ({ isFull, removeRule }) => {
      let room = Number.POSITIVE_INFINITY
      return {
        isFull: (rules, capacity) => {
          room = capacity
          return isFull(rules, capacity)
        },
        removeRule: (rules, position) =>
          removeRule(isFull(rules, room) && position < room - 1 ? rules.slice(0, -1) : rules, position),
      }
    },
  },
  {
    id: 'capacity.full-list-refuses-removals',
    breaks: ['plugin.capacity.still-deletes', 'plugin.capacity.room-after-delete'],
    summary: 'DELETE in a full list returns 500.',
    override: ({ isFull, holdsPosition }) => {
      let room = Number.POSITIVE_INFINITY
      return {
        isFull: (rules, capacity) => {
          room = capacity
          return isFull(rules, capacity)
        },
        holdsPosition: (rules, position) =>
          isFull(rules, room) ? reject(500, 'The capacity is reached.') : holdsPosition(rules, position),
      }
    },
  },
]
