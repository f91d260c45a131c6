/** Whether RFC 6750 allows it as a Bearer token; a server may answer another one with 400. */
export function isBearerToken(text: string): boolean {
  return /^[A-Za-z0-9\-._~+/]+=*$/.test(text)
}

/** Wrong keys that are similar to the correct one. */
export function wrongKeys(key: string): readonly string[] {
  return [...new Set(candidatesFor(key))].filter((candidate) => candidate !== '' && candidate !== key)
}

function candidatesFor(key: string): readonly string[] {
  const last = key.at(-1) ?? ''
  const otherLast = last === 'x' ? 'y' : 'x'
  const swapped = [...key].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const middle = Math.floor(key.length / 2)
  return [
    otherAt(key, 0),
    otherAt(key, 1),
    otherAt(key, middle),
    key.slice(0, middle - 1) + (key[middle] ?? '') + (key[middle - 1] ?? '') + key.slice(middle + 1),
    [...key].reverse().join(''),
    key.slice(0, -1),
    key.slice(1),
    key.slice(0, -1) + otherLast,
    `${key}x`,
    `x${key}`,
    `${key},x`,
    `"${key}"`,
    // Not part of any other string that the kit sends, because wrong keys are redacted.
    'xy'.repeat(200),
    swapped.join(''),
  ]
}

/** The key with another character at this position. */
function otherAt(key: string, at: number): string {
  return key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
}
