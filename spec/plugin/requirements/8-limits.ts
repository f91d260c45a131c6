import type { Requirement } from '../../requirement.ts'

export const limitRequirements = [
  {
    id: 'plugin.capacity.answers-500',
    clause: '8',
    level: 'required',
    statement: 'At capacity, adding a rule is answered with 500.',
    consequence: 'A client believes that a rule trades which was never stored.',
  },
  {
    id: 'plugin.capacity.changes-nothing',
    clause: '8',
    level: 'required',
    statement: 'At capacity, a refused rule leaves the list as it was.',
    consequence: 'The refused rule pushes out another one, or is stored after all.',
  },
  {
    id: 'plugin.capacity.refuses-every-time',
    clause: '8',
    level: 'required',
    statement: 'At capacity, every further rule is refused, not only the first.',
    consequence: 'A retry writes past the end of the list.',
  },
  {
    id: 'plugin.capacity.room-after-delete',
    clause: '8',
    level: 'required',
    statement: 'After a DELETE there is room for exactly one more rule.',
    consequence: 'A list that was full once stays full, or grows past its capacity.',
  },
  {
    id: 'plugin.capacity.lists-all',
    clause: '8',
    level: 'required',
    statement: 'At capacity, the list shows every rule that was acknowledged, with the right total.',
    consequence: 'Rules beyond a buffer trade without being listed.',
  },
  {
    id: 'plugin.capacity.still-deletes',
    clause: '8',
    level: 'required',
    statement: 'At capacity, the first and the last rule can be removed, and the others shift as always.',
    consequence: 'A full list can no longer be repaired.',
  },
  {
    id: 'plugin.capacity.still-needs-key',
    clause: '8',
    level: 'required',
    statement: 'At capacity, a request without a key is still answered with 401.',
    consequence: 'Strangers learn how many rules there are.',
  },
  {
    id: 'plugin.capacity.exact',
    clause: '8',
    level: 'expected',
    statement: 'A list holds exactly as many rules as the capacity that was stated for it.',
    consequence: 'The licence or the documentation promises more rules than can be added.',
  },
  {
    id: 'plugin.capacity.survives-restart',
    clause: '8',
    level: 'required',
    statement: 'A full list is complete after a stop and a start, and is still full.',
    consequence: 'The last rules of a full list are lost in maintenance.',
  },
  {
    id: 'plugin.limits.default-port',
    clause: '8',
    level: 'required',
    statement: 'Without API_Port the plugin listens on port 8443.',
    consequence: 'A client with the documented address finds nothing.',
  },
] as const satisfies readonly Requirement[]
