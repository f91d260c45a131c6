import { closest } from 'fastest-levenshtein'

/** The word of `words` that a mistyped `word` most likely meant; undefined if there are no words. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : closest(word, words)
}
