import type { Requirement } from '../../requirement.ts'

export const authenticationRequirements = [
  {
    id: 'plugin.auth.x-api-key',
    clause: '5',
    level: 'required',
    statement: 'Every operation accepts the key in the X-API-Key header.',
    consequence: 'Clients that send the documented header are locked out.',
  },
  {
    id: 'plugin.auth.bearer',
    clause: '5',
    level: 'required',
    statement: 'Every operation accepts the key as a Bearer token in the Authorization header.',
    consequence: 'Clients that send the documented header are locked out.',
  },
  {
    id: 'plugin.auth.both-headers',
    clause: '5',
    level: 'expected',
    statement: 'The correct key in both headers at once is accepted.',
    consequence: 'A gateway that adds the second header locks the client out.',
  },
  {
    id: 'plugin.auth.header-name-case',
    clause: '5',
    level: 'expected',
    statement: 'The names of both key headers are case-insensitive.',
    consequence: 'HTTP libraries and proxies that write header names in lower case are locked out.',
  },
  {
    id: 'plugin.auth.reads-need-key',
    clause: '5',
    level: 'required',
    statement: 'GET /api/status and GET /api/rules with a missing, empty or wrong key return 401 and disclose no rule.',
    consequence: 'Unauthenticated callers learn who copies whom.',
  },
  {
    id: 'plugin.auth.changes-need-key',
    clause: '5',
    level: 'required',
    statement:
      'POST and DELETE with a missing, empty or wrong key return 401 and change nothing, with a full list as well.',
    consequence: "Unauthenticated callers make accounts trade, or stop other people's trades.",
  },
  {
    id: 'plugin.auth.whole-key',
    clause: '5',
    level: 'required',
    statement: 'A key that is longer, shorter, or differs in one character or in case is rejected with 401.',
    consequence: 'A key is far easier to guess than its length suggests.',
  },
  {
    id: 'plugin.auth.only-the-headers',
    clause: '5',
    level: 'expected',
    statement:
      'A key in the query string, the body, a cookie or another header, or in Authorization without Bearer, is not accepted.',
    consequence:
      'Keys end up in logs because sending them there works, or a credential for another system opens the trading server.',
  },
  {
    id: 'plugin.auth.key-from-parameter',
    clause: '5',
    level: 'required',
    statement: 'The key is the value of the API_Key parameter at startup, and earlier keys are rejected.',
    consequence: 'A key that was changed because it leaked still works.',
  },
  {
    id: 'plugin.auth.disabled',
    clause: '5',
    level: 'required',
    statement: 'With an empty API_Key, or without one, no operation succeeds with any key, an empty key or no key.',
    consequence: 'A server that was meant to be closed is open to everyone.',
  },
  {
    id: 'plugin.auth.key-not-repeated',
    clause: '5',
    level: 'robustness',
    statement: 'No response contains the key.',
    consequence: 'The key reaches logs and screens of people who must not have it.',
  },
] as const satisfies readonly Requirement[]
