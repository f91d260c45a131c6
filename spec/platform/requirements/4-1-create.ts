import { expected, required, requirements } from '../../clause.ts'

export const creationRequirements = requirements('4.1', {
  'platform.create.accepted': required(
    'POST /v1/trading-accounts with name, group, leverage, currency and balance succeeds.',
    'A brokerage cannot open accounts for its clients.',
  ),
  'platform.create.every-time': expected(
    'Several accounts with different names can be created one after another.',
    'The first account works in a demo, and the second one fails in production.',
  ),
  'platform.create.balance-with-fraction': expected(
    'A balance with a fraction is accepted, because balance is a number.',
    'Accounts can only be opened with whole amounts.',
    '2.2',
  ),
  'platform.create.json': expected(
    'The response to a creation is JSON, if it has a body.',
    'A client that created an account crashes on the response and creates another one.',
    '1',
  ),
  'platform.create.content-type': expected(
    'The response to a creation has Content-Type application/json, if it has a body.',
    'HTTP libraries return a string instead of an object.',
    '1',
  ),
  'platform.create.any-json-form': expected(
    'A valid body is accepted in any form that JSON allows, also with a parameter such as charset=utf-8 in its Content-Type.',
    'Clients of other languages cannot create accounts.',
  ),
  'platform.create.refused-adds-nothing': expected(
    'A rejected creation, a GET, HEAD or OPTIONS, and a request to an unknown path or version add no account to the list.',
    'A client that corrects its request and sends it again has opened two accounts.',
  ),
  'platform.create.malformed-body': expected(
    'A body that is not a JSON object is rejected with a client error (4xx), and a missing, wrong or unknown field causes no server error.',
    'Damaged requests create accounts.',
  ),
})
