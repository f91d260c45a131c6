import type { Requirement } from '../../requirement.ts'

/** The specification does not give the path of the list. These apply to platforms whose list is found. */
export const listRequirements = [
  {
    id: 'platform.list.shows-created',
    clause: '4.1',
    level: 'expected',
    statement: 'A list that is read right after a creation contains the new account.',
    consequence: 'A client has a confirmation for an account that cannot be used.',
  },
  {
    id: 'platform.list.shows-once',
    clause: '4.1',
    level: 'expected',
    statement: 'A created account is listed exactly once.',
    consequence: "Reports count a client's balance twice.",
  },
  {
    id: 'platform.list.as-sent',
    clause: '2.2',
    level: 'expected',
    statement:
      'A listed account has the name, balance and currency that were sent, and the group and leverage if it shows them.',
    consequence: 'A trader sees an account that is not the one that was created.',
  },
  {
    id: 'platform.list.keeps-others',
    clause: '4.1',
    level: 'expected',
    statement: 'A creation leaves previously listed accounts unchanged.',
    consequence: 'Opening one account changes or removes another.',
  },
  {
    id: 'platform.list.json-content-type',
    clause: '1',
    level: 'expected',
    statement: 'The list has Content-Type application/json.',
    consequence: 'HTTP libraries return a string instead of a list.',
  },
  {
    id: 'platform.list.needs-key',
    clause: '5',
    level: 'expected',
    statement: 'The list is not disclosed without a key or with a wrong key.',
    consequence: 'Unauthenticated callers read the balances of clients.',
  },
] as const satisfies readonly Requirement[]
