import type { Requirement } from '../../requirement.ts'

export const limitRequirements = [
  {
    id: 'plugin.capacity.answers-500',
    clause: '8',
    level: 'required',
    statement:
      'At capacity, every further rule is rejected with 500 and { error: string }, and leaves the list unchanged.',
    consequence:
      'A client assumes that a rule trades although it was never stored, or a rejected rule replaces another one.',
  },
  {
    id: 'plugin.capacity.room-after-delete',
    clause: '8',
    level: 'required',
    statement:
      'A rule can be removed from a full list, the remaining rules shift as usual, and then exactly one more fits.',
    consequence: 'A list that was full once can no longer be corrected, or grows past its capacity.',
  },
  {
    id: 'plugin.capacity.lists-all',
    clause: '8',
    level: 'required',
    statement: 'At capacity, the list shows every acknowledged rule and the correct total.',
    consequence: 'Rules beyond a buffer trade without being listed.',
  },
  {
    id: 'plugin.capacity.exact',
    clause: '8',
    level: 'expected',
    statement: 'The list holds exactly as many rules as its stated capacity.',
    consequence: 'The licence or the documentation promises more rules than can be added.',
  },
  {
    id: 'plugin.capacity.survives-restart',
    clause: '8',
    level: 'required',
    statement: 'A full list is complete and still full after a stop and a start.',
    consequence: 'The last rules of a full list are lost during maintenance.',
  },
  {
    id: 'plugin.limits.default-port',
    clause: '8',
    level: 'required',
    statement: 'Without API_Port, the plugin listens on port 8443.',
    consequence: 'A client with the documented address cannot connect.',
  },
] as const satisfies readonly Requirement[]
