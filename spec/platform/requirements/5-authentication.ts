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
    'A request without a key or with a wrong key is rejected with a client error (4xx).',
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
  // The specification does not say how requests are signed. These apply to platforms that reject a wrong signature.
  'platform.signing.whole-signature': expected(
    'A signature that is truncated, empty or wrong in one digit is rejected.',
    'A signature can be guessed digit by digit.',
  ),
  'platform.signing.covers-request': expected(
    'A signature for another body, path, method or timestamp is rejected.',
    'A signed request is changed on its way and still accepted.',
  ),
  'platform.signing.day-old': robustness(
    'A request that was signed a day ago is rejected.',
    'Anyone who once saw a signed request can send it forever.',
  ),
})
