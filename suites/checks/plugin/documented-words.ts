/** Every mode and direction that a listed rule can have. */
export const documentedWords = [
  { mode: 'mult', direction: 'same' },
  { mode: 'mult', direction: 'reverse' },
  { mode: 'fixed', direction: 'same' },
  { mode: 'fixed', direction: 'reverse' },
] as const

/** The same words, and the alias that a request may use. */
export const acceptedWords = [...documentedWords, { mode: 'multiplier', direction: 'reverse' }] as const
