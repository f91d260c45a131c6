import type { Requirement } from '../../requirement.ts'

export const limitRequirements = [
  {
    id: 'plugin.capacity.answers-500',
    clause: '8',
    level: 'required',
    statement: 'At capacity, adding a rule returns 500.',
    consequence: 'A client assumes that a rule trades although it was never stored.',
  },
  {
    id: 'plugin.capacity.changes-nothing',
    clause: '8',
    level: 'required',
    statement: 'At capacity, a rejected rule leaves the list unchanged.',
    consequence: 'The rejected rule replaces another one, or is stored after all.',
  },
  {
    id: 'plugin.capacity.refuses-every-time',
    clause: '8',
    level: 'required',
    statement: 'At capacity, every further rule is rejected, not only the first.',
    consequence: 'A retry writes past the end of the list.',
  },
  {
    id: 'plugin.capacity.room-after-delete',
    clause: '8',
    level: 'required',
    statement: 'After a DELETE from a full list, exactly one more rule fits.',
    consequence: 'A list that was full once stays full, or grows past its capacity.',
  },
  {
    id: 'plugin.capacity.lists-all',
    clause: '8',
    level: 'required',
    statement: 'At capacity, the list shows every acknowledged rule and the correct total.',
    consequence: 'Rules beyond a buffer trade without being listed.',
  },
  {
    id: 'plugin.capacity.still-deletes',
    clause: '8',
    level: 'required',
    statement: 'At capacity, the first and the last rule can be removed, and the remaining rules shift as usual.',
    consequence: 'A full list can no longer be corrected.',
  },
  {
    id: 'plugin.capacity.still-needs-key',
    clause: '8',
    level: 'required',
    statement: 'At capacity, a request without a key still returns 401.',
    consequence: 'Unauthenticated callers learn how many rules there are.',
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
