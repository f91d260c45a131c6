import { asks, changesResponse, withText } from '../../defect-parts/wire.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'
import { knowingCapacity, returnsList } from './overrides.ts'

/** A server that, once it has found its list full, serves these requests without the key. */
function openWhenFull(isOpen: (request: Parameters<Hooks['asksForKey']>[0]) => boolean): Override {
  return ({ isFull, asksForKey }) => {
    let full = false
    return {
      isFull: (rules, capacity) => {
        full = isFull(rules, capacity)
        return full
      },
      asksForKey: (request) => asksForKey(request) && !(full && isOpen(request)),
    }
  }
}

/** Clause 8: how many rules there is room for, who is told, and where the server listens. */
export const limitDefects: readonly Defect[] = [
  {
    id: 'capacity.told-to-strangers',
    breaks: ['plugin.auth.changes-need-key'],
    summary: 'The capacity is checked before the key.',
    override: openWhenFull(({ method }) => method === 'POST'),
  },
  {
    id: 'capacity.full-list-shown-to-strangers',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'GET /api/rules needs no key while the list is full.',
    override: openWhenFull(({ method, path }) => method === 'GET' && path === '/api/rules'),
  },
  {
    id: 'capacity.status-of-full-list-needs-no-key',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'GET /api/status needs no key while the list is full.',
    override: openWhenFull(({ method, path }) => method === 'GET' && path === '/api/status'),
  },
  {
    id: 'capacity.last-not-listed',
    breaks: ['plugin.capacity.lists-all'],
    summary: 'A full list does not show its last rule.',
    override: knowingCapacity((hooks, capacity) =>
      returnsList((rules) => ({ rules: rules.slice(0, capacity() - 1) }))(hooks),
    ),
  },
  {
    id: 'capacity.total-lacks-the-last',
    breaks: ['plugin.capacity.lists-all'],
    summary: 'The total of a full list is one too low.',
    override: knowingCapacity((hooks, capacity) =>
      returnsList((rules) => ({ total: Math.min(rules.length, capacity() - 1) }))(hooks),
    ),
  },
  {
    id: 'capacity.one-too-few',
    breaks: ['plugin.capacity.exact'],
    summary: 'The list is full with one rule less than its capacity.',
    override: ({ isFull }) => ({ isFull: (rules, capacity) => isFull(rules, capacity - 1) }),
  },
  {
    id: 'capacity.one-too-many',
    breaks: ['plugin.capacity.exact'],
    summary: 'The list accepts one rule more than its capacity.',
    override: ({ isFull }) => ({ isFull: (rules, capacity) => isFull(rules, capacity + 1) }),
  },
  {
    id: 'capacity.file-lacks-the-last',
    breaks: ['plugin.capacity.survives-restart'],
    summary: 'After a restart there is room for one rule less, and the last rule of a full list is not loaded.',
    override: ({ isFull }) => {
      let less = 0
      return {
        fitFileToCapacity: (rules, capacity) => {
          less = 1
          return rules.slice(0, capacity - 1)
        },
        isFull: (rules, capacity) => isFull(rules, capacity - less),
      }
    },
  },
  {
    id: 'capacity.loaded-rules-do-not-count',
    breaks: ['plugin.capacity.survives-restart'],
    summary: 'Rules from the file do not count, so a full list accepts more rules after a restart.',
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
    id: 'limits.default-port-unavailable',
    breaks: ['plugin.limits.default-port'],
    summary: 'On the default port every response has the status 503.',
    override: ({ defaultPort }) =>
      changesResponse(
        (_, { socket }) => socket.localPort === defaultPort,
        (response) => ({ ...response, status: 503 }),
      )(),
  },
  {
    id: 'capacity.refusal-says-success',
    breaks: ['plugin.capacity.answers-500', 'plugin.add.leaves-others'],
    summary: 'POST to a full list returns 200 with success: false.',
    override: ({ bodyHeaders }) =>
      changesResponse(
        (status, request) => status === 500 && asks(request, 'POST'),
        (response) =>
          withText({ ...response, status: 200, headers: bodyHeaders() }, '{"success":false}', 'application/json'),
      )(),
  },
]
