import type { Hooks } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'

/** Learns the capacity from the first addition; until then there is room without end. */
function learningRoom({ isFull }: Hooks) {
  let room = Number.POSITIVE_INFINITY
  const learn: Hooks['isFull'] = (rules, capacity) => {
    room = capacity
    return isFull(rules, capacity)
  }
  return { isFull: learn, room: () => room }
}

/** Clause 8: the last place of a full list. */
export const lastPlaceDefects: readonly Defect[] = [
  {
    id: 'capacity.last-place-answered-404',
    breaks: ['plugin.capacity.still-deletes', 'plugin.capacity.room-after-delete'],
    summary: 'The last index of a full list counts as past the end, and DELETE returns 404.',
    override: (hooks) => {
      const { isFull, room } = learningRoom(hooks)
      return {
        isFull,
        holdsPosition: (rules, position) => position < room() - 1 && hooks.holdsPosition(rules, position),
      }
    },
  },
  {
    id: 'capacity.last-place-kept',
    breaks: ['plugin.capacity.still-deletes', 'plugin.capacity.room-after-delete'],
    summary: 'DELETE of the last rule of a full list returns 200, but the rule stays.',
    override: (hooks) => {
      const { isFull, room } = learningRoom(hooks)
      return {
        isFull,
        removeRule: (rules, position) => (position === room() - 1 ? rules : hooks.removeRule(rules, position)),
      }
    },
  },
  {
    id: 'capacity.index-of-last-place',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The rule that fills the list is reported with the index after its own.',
    override: (hooks) => {
      const { isFull, room } = learningRoom(hooks)
      return {
        isFull,
        reportedIndex: (position, total) => hooks.reportedIndex(position, total) + (total === room() ? 1 : 0),
      }
    },
  },
  {
    id: 'capacity.behind-last-place-is-the-last',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'The index right after a full list is that of its end marker, and removes the last rule.',
    override: (hooks) => {
      const { isFull, room } = learningRoom(hooks)
      return {
        isFull,
        holdsPosition: (rules, position) =>
          hooks.holdsPosition(rules, position) || (rules.length === room() && position === room()),
        removeRule: (rules, position) => hooks.removeRule(rules, Math.min(position, rules.length - 1)),
      }
    },
  },
  {
    id: 'capacity.full-list-filled-from-its-end',
    breaks: ['plugin.capacity.still-deletes'],
    summary: 'In the middle of a full list, the last rule moves to the position of the removed one.',
    override: (hooks) => {
      const { isFull, room } = learningRoom(hooks)
      return {
        isFull,
        removeRule: (rules, position) => {
          const last = rules.at(-1)
          const isBetween = position > 0 && position < rules.length - 1
          return rules.length === room() && isBetween && last !== undefined
            ? rules.slice(0, -1).with(position, last)
            : hooks.removeRule(rules, position)
        },
      }
    },
  },
]
