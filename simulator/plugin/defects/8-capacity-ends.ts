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
    summary: 'DELETE of the last rule of a full list returns 404.',
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
    summary: 'DELETE of the last rule of a full list returns 200 and removes nothing.',
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
    summary: 'The returned index of the rule that fills the list is one too high.',
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
    summary: 'DELETE of the first index past the end of a full list removes the last rule.',
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
    summary: 'DELETE in the middle of a full list moves the last rule into the removed position.',
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
