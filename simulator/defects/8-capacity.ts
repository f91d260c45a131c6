import { Refusal } from '../http/refusal.ts'
import type { Defect } from './defect.ts'
import { refuse } from './refuse.ts'
import { asks, withMembers, withText } from './wire.ts'

/** Clause 8: the capacity and the default port. */
export const capacityDefects: readonly Defect[] = [
  {
    id: 'capacity.answers-400',
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.refuses-every-time'],
    summary: 'A full list is answered with 400.',
    override: () => ({ capacityReached: () => new Refusal(400, 'The capacity is reached.') }),
  },
  {
    id: 'capacity.answers-507',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'A full list is answered with 507.',
    override: () => ({ capacityReached: () => new Refusal(507, 'The capacity is reached.') }),
  },
  {
    id: 'capacity.oldest-makes-room',
    breaks: ['plugin.capacity.answers-500', 'plugin.capacity.changes-nothing', 'plugin.capacity.refuses-every-time'],
    summary: 'The list is a ring: a rule that is too many is accepted and pushes out the oldest one.',
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
    summary: 'A rule that is too many is answered with 500 and stored in the place of the last one.',
    override: ({ isFull, addRule, encodeJson }) => {
      let full = false
      return {
        isFull: (rules, capacity) => {
          full = isFull(rules, capacity)
          return false
        },
        addRule: (rules, rule) => addRule(full ? rules.slice(0, -1) : rules, rule),
        finish: (answer, request) =>
          full && asks(request, 'POST') && answer.status === 201
            ? { ...answer, status: 500, body: encodeJson({ error: 'The capacity is reached.' }) }
            : answer,
      }
    },
  },
  {
    id: 'capacity.refuses-once',
    breaks: ['plugin.capacity.refuses-every-time'],
    summary: 'A full list refuses one rule and then grows.',
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
    summary: 'A list that was full once stays full.',
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
    summary: 'A removal from a full list counts twice, and the list grows past its capacity.',
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
    id: 'capacity.last-not-listed',
    breaks: ['plugin.capacity.lists-all'],
    summary: 'The list stops one short of the capacity: only a full list lacks its last rule.',
    override: ({ isFull, listBody }) => {
      let room = Number.POSITIVE_INFINITY
      return {
        isFull: (rules, capacity) => {
          room = capacity
          return isFull(rules, capacity)
        },
        listBody: (rules) => withMembers(listBody(rules), { rules: rules.slice(0, room - 1) }),
      }
    },
  },
  {
    id: 'capacity.last-cannot-be-removed',
    breaks: ['plugin.capacity.still-deletes'],
    summary: 'The index of the last place of a full list is answered with 404.',
    override: ({ isFull, holdsPosition }) => {
      let room = Number.POSITIVE_INFINITY
      return {
        isFull: (rules, capacity) => {
          room = capacity
          return isFull(rules, capacity)
        },
        holdsPosition: (rules, position) => position < room - 1 && holdsPosition(rules, position),
      }
    },
  },
  {
    id: 'capacity.full-list-refuses-removals',
    breaks: ['plugin.capacity.still-deletes', 'plugin.capacity.room-after-delete'],
    summary: 'While the list is full, a removal is answered with 500 as well.',
    override: ({ isFull, holdsPosition }) => {
      let room = Number.POSITIVE_INFINITY
      return {
        isFull: (rules, capacity) => {
          room = capacity
          return isFull(rules, capacity)
        },
        holdsPosition: (rules, position) =>
          isFull(rules, room) ? refuse(500, 'The capacity is reached.') : holdsPosition(rules, position),
      }
    },
  },
  {
    id: 'capacity.told-to-strangers',
    breaks: ['plugin.capacity.still-needs-key'],
    summary: 'Whether there is room is looked at before the key.',
    override: ({ isFull, asksForKey }) => {
      let full = false
      return {
        isFull: (rules, capacity) => {
          full = isFull(rules, capacity)
          return full
        },
        asksForKey: (request) => asksForKey(request) && !(full && request.method === 'POST'),
      }
    },
  },
]

/** Clause 8: how many rules there is room for, and where the server listens. */
export const limitDefects: readonly Defect[] = [
  {
    id: 'capacity.one-too-few',
    breaks: ['plugin.capacity.exact'],
    summary: 'The list is full with one rule less than its capacity.',
    override: ({ isFull }) => ({ isFull: (rules, capacity) => isFull(rules, capacity - 1) }),
  },
  {
    id: 'capacity.one-too-many',
    breaks: ['plugin.capacity.exact'],
    summary: 'The list takes one rule more than its capacity.',
    override: ({ isFull }) => ({ isFull: (rules, capacity) => isFull(rules, capacity + 1) }),
  },
  {
    id: 'capacity.file-lacks-the-last',
    breaks: ['plugin.capacity.survives-restart'],
    summary: 'One rule less than the capacity is loaded from the file.',
    override: () => ({ fitFileToCapacity: (rules, capacity) => rules.slice(0, capacity - 1) }),
  },
  {
    id: 'capacity.loaded-rules-do-not-count',
    breaks: ['plugin.capacity.survives-restart'],
    summary: 'Rules that were loaded from the file do not count, so that a full list has room again after a restart.',
    override: ({ isFull, fitFileToCapacity }) => {
      let loaded = 0
      return {
        fitFileToCapacity: (rules, capacity) => {
          loaded = rules.length
          return fitFileToCapacity(rules, capacity)
        },
        isFull: (rules, capacity) => isFull(rules, capacity + loaded),
      }
    },
  },
  {
    id: 'limits.another-default-port',
    breaks: ['plugin.limits.default-port'],
    summary: 'Without API_Port the server listens on port 8444.',
    override: () => ({ defaultPort: 8444 }),
  },
  {
    id: 'capacity.refusal-says-success',
    breaks: ['plugin.errors.500', 'plugin.capacity.answers-500'],
    summary: 'A full list is answered with 200 and success: false.',
    override: ({ bodyHeaders }) => ({
      finish: (answer, request) =>
        answer.status === 500 && asks(request, 'POST')
          ? withText({ ...answer, status: 200, headers: bodyHeaders() }, '{"success":false}', 'application/json')
          : answer,
    }),
  },
]
