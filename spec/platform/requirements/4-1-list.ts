import { expected, requirements } from '../../clause.ts'

/** The specification does not give the path of the list. These apply to platforms whose list is found. */
export const listRequirements = requirements('4.1', {
  'platform.list.shows-created': expected(
    'A list that is read right after a creation contains the new account.',
    'A client has a confirmation for an account that cannot be used.',
  ),
  'platform.list.shows-once': expected(
    'A created account is listed exactly once.',
    "Reports count a client's balance twice.",
  ),
  'platform.list.as-sent': expected(
    'A listed account has the name, balance and currency that were sent, and the group and leverage if it shows them, not those of another request.',
    'A trader sees an account that is not the one that was created.',
    '2.2',
  ),
  'platform.list.keeps-others': expected(
    'A creation leaves previously listed accounts unchanged.',
    'Opening one account changes or removes another.',
  ),
  'platform.list.json-content-type': expected(
    'The list is JSON and has Content-Type application/json.',
    'HTTP libraries return a string instead of a list.',
    '1',
  ),
  'platform.list.needs-key': expected(
    'The list is not disclosed without a key or with a wrong key, and it is complete again with the correct one.',
    'Unauthenticated callers read the balances of clients.',
    '5',
  ),
})
