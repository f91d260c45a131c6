import type { Requirement } from '../../requirement.ts'

/** Clauses 4.2 and 4.3 applied to sequences of requests and to overlapping requests. */
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
  {
    id: 'plugin.sequence.across-restarts',
    clause: '4.3 rule 1',
    level: 'required',
    statement: 'Any sequence of additions and removals leaves the same list with restarts in between as without.',
    consequence: 'Maintenance undoes the last change before the restart.',
  },
  {
    id: 'plugin.robust.overlapping-requests',
    clause: '4.2',
    level: 'robustness',
    statement: 'Overlapping requests get the same responses as if each had been served alone, in some order.',
    consequence: 'When two operators work at the same time, one removes the wrong rule or sees a removed one.',
  },
  {
    id: 'plugin.persist.burst-survives-crash',
    clause: '4.3 rule 1',
    level: 'robustness',
    statement: 'A process that is killed during changes restarts with every acknowledged change and no partial change.',
    consequence: 'After a power failure, rules are missing or trade with only part of their settings.',
  },
] as const satisfies readonly Requirement[]
