import type { Seams } from '../http/seams/seams.ts'
import type { Defect } from './defect.ts'

/** Learns the capacity from the first addition; until then there is room without end. */
function learningRoom({ isFull }: Seams) {
  let room = Number.POSITIVE_INFINITY
  const learn: Seams['isFull'] = (rules, capacity) => {
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
    summary: 'The last place of a full list counts as past the end: its removal is answered with 404.',
    override: (seams) => {
      const { isFull, room } = learningRoom(seams)
      return {
        isFull,
        holdsPosition: (rules, position) => position < room() - 1 && seams.holdsPosition(rules, position),
      }
    },
  },
  {
    id: 'capacity.last-place-kept',
    breaks: ['plugin.capacity.still-deletes', 'plugin.capacity.room-after-delete'],
    summary: 'The removal of the last place of a full list is confirmed, and the rule stays.',
    override: (seams) => {
      const { isFull, room } = learningRoom(seams)
      return {
        isFull,
        removeRule: (rules, position) => (position === room() - 1 ? rules : seams.removeRule(rules, position)),
      }
    },
  },
  {
    id: 'capacity.index-of-last-place',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The rule that fills the list is reported with the index behind its own.',
    override: (seams) => {
      const { isFull, room } = learningRoom(seams)
      return {
        isFull,
        reportedIndex: (position, total) => seams.reportedIndex(position, total) + (total === room() ? 1 : 0),
      }
    },
  },
]
