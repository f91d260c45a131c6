import type { Requirement } from '../../requirement.ts'

/** The specification does not say how requests are signed. These apply to platforms that reject a wrong signature. */
export const signingRequirements = [
  {
    id: 'platform.signing.whole-signature',
    clause: '5',
    level: 'expected',
    statement: 'A signature that differs from the correct one in its last digit is rejected.',
    consequence: 'A signature can be guessed digit by digit.',
  },
  {
    id: 'platform.signing.shortened',
    clause: '5',
    level: 'expected',
    statement: 'A truncated or empty signature is rejected.',
    consequence: 'A signature of one digit is guessed immediately.',
  },
  {
    id: 'platform.signing.covers-body',
    clause: '5',
    level: 'expected',
    statement: 'A signature for another body is rejected.',
    consequence: 'An attacker on the network changes the balance of a new account.',
  },
  {
    id: 'platform.signing.covers-path',
    clause: '5',
    level: 'expected',
    statement: 'A signature for another path is rejected.',
    consequence: 'A signed read request is turned into a request to another path.',
  },
  {
    id: 'platform.signing.covers-method',
    clause: '5',
    level: 'expected',
    statement: 'A signature for another method is rejected.',
    consequence: 'A signed read request is turned into a write.',
  },
  {
    id: 'platform.signing.covers-timestamp',
    clause: '5',
    level: 'expected',
    statement: 'A signature for another timestamp is rejected.',
    consequence: 'An old request becomes valid again with a new timestamp.',
  },
  {
    id: 'platform.signing.day-old',
    clause: '5',
    level: 'robustness',
    statement: 'A request that was signed a day ago is rejected.',
    consequence: 'Anyone who once saw a signed request can send it forever.',
  },
] as const satisfies readonly Requirement[]
