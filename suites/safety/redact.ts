/**
 * A function that replaces every secret in a text, however it is written: plain, URL-encoded,
 * escaped as in JSON or HTML, in base64 at any offset, or in hexadecimal. `near` are texts that
 * resemble a secret so much that they would give it away; they are marked as what they are.
 */
export function createRedactor(secrets: readonly string[], near: readonly string[] = []): (text: string) => string {
  const labels = new Map<string, string>()
  for (const [label, texts] of [
    ['[wrong key]', near],
    ['[redacted]', secrets],
  ] as const) {
    for (const text of texts) for (const spelling of spellingsOf(text)) labels.set(spelling, label)
  }
  if (labels.size === 0) return (text) => text
  const longestFirst = [...labels.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'gi')
  return (text) => text.replace(pattern, (found) => labels.get(found) ?? '[redacted]')
}

function spellingsOf(secret: string): string[] {
  if (secret === '') return []
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const spellings = [
    secret,
    encodeURIComponent(secret),
    json,
    json.replaceAll('/', '\\/'),
    escapedLikeDotNet(json),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    bytes.toString('hex'),
    ...base64Cores(bytes),
  ]
  return [...new Set(spellings)]
}

/** Some JSON encoders escape every character that HTML gives a meaning, and the plus sign. */
function escapedLikeDotNet(json: string): string {
  return json.replace(/[+<>&'`]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
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

/** A short secret is only replaced where it stands alone: every text contains the letter k. */
function patternOf(spelling: string): string {
  const literal = spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return spelling.length < 8 ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal
}
