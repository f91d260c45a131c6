import { expected, required, requirements } from '../../clause.ts'

export const limitRequirements = requirements('8', {
  'plugin.capacity.answers-500': required(
    'At capacity, every further rule is rejected with 500 and { error: string }, and leaves the list unchanged.',
    'A client assumes that a rule trades although it was never stored, or a rejected rule replaces another one.',
  ),
  'plugin.capacity.room-after-delete': required(
    'A rule can be removed from a full list, the remaining rules shift as usual, and then exactly one more fits.',
    'A list that was full once can no longer be corrected, or grows past its capacity.',
  ),
  'plugin.capacity.lists-all': required(
    'At capacity, the list shows every acknowledged rule and the correct total.',
    'Rules beyond a buffer trade without being listed.',
  ),
  'plugin.capacity.exact': expected(
    'The list holds exactly as many rules as its stated capacity.',
    'The licence or the documentation promises more rules than can be added.',
  ),
  'plugin.capacity.survives-restart': required(
    'A full list is complete and still full after a stop and a start, and a removal from it is saved.',
    'The last rules of a full list are lost during maintenance.',
  ),
  'plugin.limits.default-port': required(
    'Without API_Port, the plugin listens on port 8443.',
    'A client with the documented address cannot connect.',
  ),
})
