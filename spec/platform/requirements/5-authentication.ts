import type { Requirement } from '../../requirement.ts'

export const platformAuthenticationRequirements = [
  {
    id: 'platform.auth.account-needs-key',
    clause: '5',
    level: 'expected',
    statement: 'The account is disclosed only with the complete key as a Bearer token in the Authorization header.',
    consequence: 'Anyone who can reach the API reads the account.',
  },
  {
    id: 'platform.auth.create-needs-key',
    clause: '5',
    level: 'expected',
    statement: 'A creation without a key or with a wrong key is rejected.',
    consequence: 'Unauthenticated callers open accounts with any balance.',
  },
  {
    id: 'platform.auth.case-insensitive',
    clause: '5',
    level: 'expected',
    statement:
      'The Bearer scheme and the name of the Authorization header are case-insensitive (RFC 9110, 11.1 and 5.1).',
    consequence: 'Clients whose HTTP library writes them differently are rejected.',
  },
  {
    id: 'platform.auth.client-error',
    clause: '5',
    level: 'expected',
    statement: 'A request without a key or with a wrong key is rejected with a client error (4xx).',
    consequence: 'A client that lost its key retries forever, as if the server were broken.',
  },
  {
    id: 'platform.auth.works-after-refusal',
    clause: '5',
    level: 'expected',
    statement: 'The correct key works after a wrong key was rejected, even on the same connection.',
    consequence: 'One mistyped key locks the brokerage out.',
  },
  {
    id: 'platform.secret.not-shown',
    clause: '5',
    level: 'expected',
    statement:
      'No response to a documented operation contains the API Secret, which is displayed only once, at creation.',
    consequence: 'The secret reaches logs and screens of people who must not have it.',
  },
  {
    id: 'platform.secret.not-repeated',
    clause: '5',
    level: 'robustness',
    statement: 'An error response does not repeat a secret that was sent by mistake.',
    consequence: 'The secret ends up in the error log of every client.',
  },
] as const satisfies readonly Requirement[]
