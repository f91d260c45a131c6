import { expected, requirements, robustness } from '../../clause.ts'

/** The specification does not say how requests are signed. These apply to platforms that reject a wrong signature. */
export const signingRequirements = requirements('5', {
  'platform.signing.whole-signature': expected(
    'A signature that is truncated, empty, or wrong in one digit or in their order is rejected.',
    'A signature can be guessed digit by digit.',
  ),
  'platform.signing.every-request': expected(
    'A signature that is wrong, or made with another secret, is rejected in every request that needs a key.',
    'A part of the API is open to anyone who knows the public key.',
  ),
  'platform.signing.covers-request': expected(
    'A signature for another body, path, method or timestamp is rejected.',
    'A signed request is changed on its way and still accepted.',
  ),
  'platform.signing.day-old': robustness(
    'A request that was signed a day ago, or for no time, is rejected.',
    'Anyone who once saw a signed request can send it forever.',
  ),
})
