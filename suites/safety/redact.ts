/**
 * A function that replaces every secret in a text, however it is written: plain, URL-encoded,
 * escaped as in JSON, in base64 at any offset, or in hexadecimal.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => spellingsOf(secret))
    .sort((a, b) => b.length - a.length)
  if (spellings.length === 0) return (text) => text
  const pattern = new RegExp(spellings.map(patternOf).join('|'), 'gi')
  return (text) => text.replace(pattern, '[redacted]')
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const spellings = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...base64Cores(bytes),
  ]
  return [...new Set(spellings)]
}

/**
 * The characters of the base64 text that depend on the secret alone, for each of the three offsets
 * at which it can stand inside a longer text. A core of fewer than eight characters would also
 * match innocent text.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const first = Math.ceil((offset * 8) / 6)
    const length = Math.floor(((offset + bytes.length) * 8) / 6) - first
    return (['base64', 'base64url'] as const)
      .map((encoding) => padded.toString(encoding).slice(first, first + length))
      .filter((core) => core.length >= 8)
  })
}

/** A very short secret is only replaced where it stands alone: every text contains the letter k. */
function patternOf(spelling: string): string {
  const literal = spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return spelling.length < 4 ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal
}
