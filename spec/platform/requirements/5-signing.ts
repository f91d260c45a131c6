import type { Requirement } from '../../requirement.ts'

/** The specification does not say how requests are signed. These apply to platforms that reject a wrong signature. */
export const signingRequirements = [
  {
    id: 'platform.signing.whole-signature',
    clause: '5',
    level: 'expected',
    statement: 'A signature that is truncated, empty or wrong in one digit is rejected.',
    consequence: 'A signature can be guessed digit by digit.',
  },
  {
    id: 'platform.signing.covers-request',
    clause: '5',
    level: 'expected',
    statement: 'A signature for another body, path, method or timestamp is rejected.',
    consequence: 'A signed request is changed on its way and still accepted.',
  },
  {
    id: 'platform.signing.day-old',
    clause: '5',
    level: 'robustness',
    statement: 'A request that was signed a day ago is rejected.',
    consequence: 'Anyone who once saw a signed request can send it forever.',
  },
] as const satisfies readonly Requirement[]
