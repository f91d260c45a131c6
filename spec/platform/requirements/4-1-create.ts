import type { Requirement } from '../../requirement.ts'

export const creationRequirements = [
  {
    id: 'platform.create.accepted',
    clause: '4.1',
    level: 'required',
    statement: 'POST /v1/trading-accounts with name, group, leverage, currency and balance succeeds.',
    consequence: 'A brokerage cannot open accounts for its clients.',
  },
  {
    id: 'platform.create.every-time',
    clause: '4.1',
    level: 'expected',
    statement: 'Several accounts with different names can be created one after another.',
    consequence: 'The first account works in a demo, and the second one fails in production.',
  },
  {
    id: 'platform.create.balance-with-fraction',
    clause: '2.2',
    level: 'expected',
    statement: 'A balance with a fraction is accepted, because balance is a number.',
    consequence: 'Accounts can only be opened with whole amounts.',
  },
  {
    id: 'platform.create.json',
    clause: '1',
    level: 'expected',
    statement: 'The response to a creation is JSON, if it has a body.',
    consequence: 'A client that created an account crashes on the response and creates another one.',
  },
  {
    id: 'platform.create.content-type',
    clause: '1',
    level: 'expected',
    statement: 'The response to a creation has Content-Type application/json, if it has a body.',
    consequence: 'HTTP libraries return a string instead of an object.',
  },
  {
    id: 'platform.create.any-json-form',
    clause: '4.1',
    level: 'expected',
    statement:
      'A valid body is accepted in any form that JSON allows, also with a parameter such as charset=utf-8 in its Content-Type.',
    consequence: 'Clients of other languages cannot create accounts.',
  },
  {
    id: 'platform.create.refused-adds-nothing',
    clause: '4.1',
    level: 'expected',
    statement: 'A rejected creation adds no account to the list.',
    consequence: 'A client that corrects its request and sends it again has opened two accounts.',
  },
  {
    id: 'platform.create.malformed-body',
    clause: '4.1',
    level: 'expected',
    statement: 'A body that is not a JSON object is rejected with a client error (4xx).',
    consequence: 'Damaged requests create accounts.',
  },
] as const satisfies readonly Requirement[]
