import type { Requirement } from '../../requirement.ts'

/** What the rules of clauses 4.2 and 4.3 demand together, of many requests instead of one. */
export const sequenceRequirements = [
  {
    id: 'plugin.sequence.list',
    clause: '4.2',
    level: 'required',
    statement: 'Any sequence of additions, removals and refused requests leaves the list that these leave one by one.',
    consequence: 'After an ordinary day, indices name other rules than the client believes.',
  },
  {
    id: 'plugin.sequence.across-restarts',
    clause: '4.3 rule 1',
    level: 'required',
    statement:
      'Any sequence of additions and removals with restarts between them leaves the list that it leaves without.',
    consequence: 'A change that happened to be the last before maintenance is undone by it.',
  },
  {
    id: 'plugin.robust.overlapping-requests',
    clause: '4.2',
    level: 'robustness',
    statement: 'Requests that overlap are answered as if each had been served alone, in some order.',
    consequence:
      'Of two operators who work at once, one removes a rule that he did not mean, or sees one that is gone.',
  },
  {
    id: 'plugin.persist.burst-survives-crash',
    clause: '4.3 rule 1',
    level: 'robustness',
    statement: 'A process that is killed amid changes comes back with every acknowledged one, and no other by halves.',
    consequence: 'After a power cut the rules are gone, or trade with a part of what was set.',
  },
] as const satisfies readonly Requirement[]
