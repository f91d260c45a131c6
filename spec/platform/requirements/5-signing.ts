import type { Requirement } from '../../requirement.ts'

/** How a request is signed is a public fact, not specified: these hold where a wrong signature is refused. */
export const signingRequirements = [
  {
    id: 'platform.signing.whole-signature',
    clause: '5',
    level: 'expected',
    statement: 'A signature that differs in its last digit from the right one is refused.',
    consequence: 'A signature is guessed digit by digit.',
  },
  {
    id: 'platform.signing.shortened',
    clause: '5',
    level: 'expected',
    statement: 'A signature that is cut short, or empty, is refused.',
    consequence: 'A signature of one digit is guessed at once.',
  },
  {
    id: 'platform.signing.covers-body',
    clause: '5',
    level: 'expected',
    statement: 'A signature made for another body is refused.',
    consequence: 'Somebody in between changes the balance of a new account.',
  },
  {
    id: 'platform.signing.covers-path',
    clause: '5',
    level: 'expected',
    statement: 'A signature made for another path is refused.',
    consequence: 'A signed request to read is turned into another one.',
  },
  {
    id: 'platform.signing.covers-method',
    clause: '5',
    level: 'expected',
    statement: 'A signature made for another method is refused.',
    consequence: 'A signed request to read is turned into one that writes.',
  },
  {
    id: 'platform.signing.covers-timestamp',
    clause: '5',
    level: 'expected',
    statement: 'A signature made for another timestamp is refused.',
    consequence: 'An old request becomes new by writing another time on it.',
  },
  {
    id: 'platform.signing.day-old',
    clause: '5',
    level: 'robustness',
    statement: 'A request that was signed a day ago is refused.',
    consequence: 'Who once saw a signed request can send it for ever.',
  },
] as const satisfies readonly Requirement[]
