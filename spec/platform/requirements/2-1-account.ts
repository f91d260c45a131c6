import { expected, required, requirements } from '../../clause.ts'

export const accountRequirements = requirements('2.1', {
  'platform.account.answered': required(
    'GET /v1/account with the documented headers succeeds.',
    'A client with a valid key cannot read its account.',
    '4.1',
  ),
  'platform.account.status-200': expected(
    'GET /v1/account returns 200.',
    'HTTP libraries do not expect another status in response to a GET.',
    '4.1',
  ),
  'platform.account.data': required(
    'GET /v1/account returns a JSON object whose field data is an object, the account.',
    'Clients that unwrap data find nothing.',
    '4.1',
  ),
  'platform.account.id': required(
    'In the account, id is the string acct_ followed by digits.',
    'A client that stores or compares the id takes it for another kind of object.',
  ),
  'platform.account.name': required('In the account, name is a string.', 'A client cannot show whose account it is.'),
  'platform.account.name-given': expected(
    'In the account, name is not empty.',
    'An operator cannot tell the accounts of two brokerages apart.',
  ),
  'platform.account.status': required(
    'In the account, status is a string.',
    'A client that compares the status with active never finds a match.',
  ),
  'platform.account.status-given': expected(
    'In the account, status is not empty.',
    'A client treats an account as closed because its status was not filled in.',
  ),
  'platform.account.created-at': required(
    'In the account, created_at is a string with an ISO 8601 date and time in UTC.',
    'A client reads a time that is hours off, or none.',
  ),
  'platform.account.created-at-real': expected(
    'In the account, created_at is a valid calendar date, not before 1970 and not in the future.',
    'A report shows the account as older or younger than it is.',
  ),
  'platform.account.stable': expected(
    'The account has the same id, name and created_at in every response.',
    'A client that caches the account concludes that it talks to another one.',
  ),
  'platform.account.same-after-creation': expected(
    'Creating a trading account does not change id, name or created_at of the account.',
    'The brokerage account is mixed up with a trading account.',
  ),
})
