/** Keys that resemble the right one and are wrong, from short to long. */
export function wrongKeys(key: string): readonly string[] {
  const last = key.at(-1) ?? ''
  const otherLast = last === 'x' ? 'y' : 'x'
  const swapped = [...key].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const candidates = [
    key.slice(0, -1),
    key.slice(1),
    key.slice(0, -1) + otherLast,
    `${key}x`,
    `x${key}`,
    swapped.join(''),
  ]
  return [...new Set(candidates)].filter((candidate) => candidate !== '' && candidate !== key)
}
