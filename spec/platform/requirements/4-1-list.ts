import type { Requirement } from '../../requirement.ts'

/** The path of the list is not shown: these hold where a list was found. */
export const listRequirements = [
  {
    id: 'platform.list.shows-created',
    clause: '4.1',
    level: 'expected',
    statement: 'An account that was created is in the list read right afterwards.',
    consequence: 'A client was told that an account exists which nobody can use.',
  },
  {
    id: 'platform.list.shows-once',
    clause: '4.1',
    level: 'expected',
    statement: 'An account that was created is in the list once.',
    consequence: 'Reports count the balance of a client twice.',
  },
  {
    id: 'platform.list.name',
    clause: '2.2',
    level: 'expected',
    statement: 'An account in the list has the name that was sent.',
    consequence: 'An operator works on the account of somebody else.',
  },
  {
    id: 'platform.list.name-in-any-script',
    clause: '2.2',
    level: 'expected',
    statement: 'A name with quotes, backslashes and letters of any script comes back as it was sent.',
    consequence: 'Clients with such names cannot be found, or break the page that shows them.',
  },
  {
    id: 'platform.list.balance',
    clause: '2.2',
    level: 'expected',
    statement: 'An account in the list has the balance that was sent, as a JSON number.',
    consequence: 'A client starts with another amount than the brokerage booked.',
  },
  {
    id: 'platform.list.balance-to-the-cent',
    clause: '2.2',
    level: 'expected',
    statement: 'A balance of nine digits before and two behind the point comes back to the cent.',
    consequence: 'Large accounts are off by cents or more.',
  },
  {
    id: 'platform.list.currency',
    clause: '2.2',
    level: 'expected',
    statement: 'An account in the list has the currency that was sent.',
    consequence: 'Yen are taken for dollars.',
  },
  {
    id: 'platform.list.created-fields',
    clause: '2.2',
    level: 'expected',
    statement: 'Where the list shows group and leverage, they are those that were sent, leverage as a JSON number.',
    consequence: 'Margin is computed with another leverage than was agreed.',
  },
  {
    id: 'platform.list.keeps-others',
    clause: '4.1',
    level: 'expected',
    statement: 'A creation leaves the accounts that were listed before as they were.',
    consequence: 'Opening one account changes or loses another.',
  },
  {
    id: 'platform.list.json-content-type',
    clause: '1',
    level: 'expected',
    statement: 'The list has the Content-Type application/json.',
    consequence: 'HTTP libraries hand the client a text instead of a list.',
  },
  {
    id: 'platform.list.needs-key',
    clause: '5',
    level: 'expected',
    statement: 'The list is not shown without a key or with a wrong one.',
    consequence: 'Strangers read the balances of clients.',
  },
] as const satisfies readonly Requirement[]
