import { closest, distance } from 'fastest-levenshtein'

/** The word of `words` that a mistyped `word` most likely meant; undefined if there are no words. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : closest(word, words)
}

/** ` Did you mean "capacity"?`; empty if no word of `words` is similar. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = nearest(word, words)
  const similar = meant !== undefined && distance(word, meant) <= Math.max(word.length, meant.length) / 2
  return similar ? ` Did you mean "${meant}"?` : ''
}
