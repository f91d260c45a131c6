import type { Requirement } from '../../requirement.ts'

/** The specification does not show the path of the list. These apply to platforms where a list is found. */
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
    id: 'platform.list.name',
    clause: '2.2',
    level: 'expected',
    statement: 'A listed account has the name that was sent.',
    consequence: 'An operator works on the wrong account.',
  },
  {
    id: 'platform.list.name-in-any-script',
    clause: '2.2',
    level: 'expected',
    statement: 'A name with quotes, backslashes and letters of any script is listed as it was sent.',
    consequence: 'Clients with such names cannot be found, or break the page that shows them.',
  },
  {
    id: 'platform.list.balance',
    clause: '2.2',
    level: 'expected',
    statement: 'A listed account has the balance that was sent, as a JSON number.',
    consequence: 'A client starts with another amount than the brokerage booked.',
  },
  {
    id: 'platform.list.balance-to-the-cent',
    clause: '2.2',
    level: 'expected',
    statement: 'A balance with nine digits before and two after the decimal point is listed to the cent.',
    consequence: 'Large accounts are off by cents or more.',
  },
  {
    id: 'platform.list.currency',
    clause: '2.2',
    level: 'expected',
    statement: 'A listed account has the currency that was sent.',
    consequence: 'Yen are mistaken for dollars.',
  },
  {
    id: 'platform.list.created-fields',
    clause: '2.2',
    level: 'expected',
    statement:
      'If the list shows group and leverage, the values are those that were sent, with leverage as a JSON number.',
    consequence: 'Margin is computed with a different leverage than agreed.',
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
