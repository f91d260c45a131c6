import type { Draft } from '../../model/rule.ts'

/** Every mode and direction that a listed rule can have. */
export const documentedWords = [
  { mode: 'mult', direction: 'same' },
  { mode: 'mult', direction: 'reverse' },
  { mode: 'fixed', direction: 'same' },
  { mode: 'fixed', direction: 'reverse' },
] as const

/** The other mode and the other direction. */
export const otherWords = ({ mode, direction }: Pick<Draft, 'mode' | 'direction'>) =>
  ({ mode: mode === 'fixed' ? 'mult' : 'fixed', direction: direction === 'same' ? 'reverse' : 'same' }) as const

/** What checks share of a POST with these words. */
export const addedWith = (words: Pick<Draft, 'mode' | 'direction'>) => `POST with ${words.mode} and ${words.direction}`

/** Two rules that differ in both words, for a server that handles a rule correctly only with some of them. */
export const oppositeWords: readonly (typeof documentedWords)[number][] = [documentedWords[0], documentedWords[3]]

/** The same words, and the alias that a request may use. */
export const acceptedWords = [...documentedWords, { mode: 'multiplier', direction: 'reverse' }] as const
