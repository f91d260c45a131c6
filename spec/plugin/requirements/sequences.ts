import { required, requirements } from '../../clause.ts'

/** Clause 4.2 applied to sequences of requests and to every state of the list. */
export const sequenceRequirements = requirements('4.2', {
  'plugin.sequence.list': required(
    'Any sequence of additions, removals and rejected requests leaves the list that its requests produce one by one.',
    'After an ordinary day, indices refer to other rules than the client assumes.',
  ),
  'plugin.sequence.states': required(
    'Every request gets the correct response in every state of the list: empty, with one rule or with hundreds, and loaded from the file or from Copy_N.',
    'A server that works with the rules of a trial fails on the first day, or on the day with too many rules.',
  ),
})
