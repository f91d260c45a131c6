import { expected, requirements, robustness } from '../../clause.ts'

export const platformAuthenticationRequirements = requirements('5', {
  'platform.auth.account-needs-key': expected(
    'The account is disclosed only with the complete key as a Bearer token in the Authorization header.',
    'Anyone who can reach the API reads the account.',
  ),
  'platform.auth.create-needs-key': expected(
    'A creation without a key or with a wrong key is rejected.',
    'Unauthenticated callers open accounts with any balance.',
  ),
  'platform.auth.case-insensitive': expected(
    'The name of the Authorization header is case-insensitive (RFC 9110, 5.1).',
    'Clients whose HTTP library writes it differently are rejected.',
  ),
  'platform.auth.client-error': expected(
    'A request without a key, with a wrong key or with a malformed signature is rejected with a client error (4xx).',
    'A client that lost its key retries forever, as if the server were broken.',
  ),
  'platform.auth.works-after-refusal': expected(
    'The correct key works after a wrong key was rejected, even on the same connection.',
    'One mistyped key locks the brokerage out.',
  ),
  'platform.secret.not-shown': expected(
    'No response to a documented operation contains the API Secret, which is displayed only once, at creation.',
    'The secret reaches logs and screens of people who must not have it.',
  ),
  'platform.secret.not-repeated': robustness(
    'An error response does not repeat a secret that was sent by mistake.',
    'The secret ends up in the error log of every client.',
  ),
})
