/** The number of letters to insert, drop or replace to get from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The word of `words` that a mistyped `word` most likely meant; undefined if there are no words. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return words
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .toSorted((one, other) => one.far - other.far)[0]?.candidate
}
