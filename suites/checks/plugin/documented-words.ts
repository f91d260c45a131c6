/** Every mode and direction that a rule is listed with. */
export const documentedWords = [
  { mode: 'mult', direction: 'same' },
  { mode: 'mult', direction: 'reverse' },
  { mode: 'fixed', direction: 'same' },
  { mode: 'fixed', direction: 'reverse' },
] as const

/** The same, and the alias that a request may have. */
export const acceptedWords = [...documentedWords, { mode: 'multiplier', direction: 'reverse' }] as const
