import type { Requirement } from '../../requirement.ts'

/** Clause 4.2 applied to sequences of requests and to every state of the list. */
export const sequenceRequirements = [
  {
    id: 'plugin.sequence.list',
    clause: '4.2',
    level: 'required',
    statement:
      'Any sequence of additions, removals and rejected requests leaves the list that its requests produce one by one.',
    consequence: 'After an ordinary day, indices refer to other rules than the client assumes.',
  },
  {
    id: 'plugin.sequence.states',
    clause: '4.2',
    level: 'required',
    statement:
      'Every request gets the correct response in every state of the list: empty, with one rule or with hundreds, and loaded from the file or from Copy_N.',
    consequence:
      'A server that works with the rules of a trial fails on the first day, or on the day with too many rules.',
  },
] as const satisfies readonly Requirement[]
