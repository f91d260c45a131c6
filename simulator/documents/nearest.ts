import { closest, distance } from 'fastest-levenshtein'

/** ` Did you mean "capacity"?`; empty if no word of `words` is similar. */
export function didYouMean(word: string, words: readonly string[], quote = '"'): string {
  const meant = closest(word, words)
  const similar = meant !== undefined && distance(word, meant) <= Math.max(word.length, meant.length) / 2
  return similar ? ` Did you mean ${quote}${meant}${quote}?` : ''
}
