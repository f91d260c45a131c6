/**
 * A function that replaces every secret in a text, however it is written: plain, URL-encoded,
 * escaped as in JSON or HTML, in base64 at any offset, or in hexadecimal. `near` are texts that
 * resemble a secret so much that they would give it away; they are marked as what they are.
 */
export function createRedactor(secrets: readonly string[], near: readonly string[] = []): (text: string) => string {
  // The longest first: a text that is nearly a key may hold the key, or be held by it.
  const hidden = [
    ...secrets.map((text) => ({ text, label: '[redacted]' })),
    ...near.map((text) => ({ text, label: '[wrong key]' })),
  ]
    .filter(({ text }, at, all) => text !== '' && all.findIndex((other) => other.text === text) === at)
    .toSorted((a, b) => b.text.length - a.text.length)
  if (hidden.length === 0) return (text) => text
  // Where a secret stands alone, as it mostly does, the pattern need not even be made. Of texts that differ
  // in their case alone the first one counts, as it does in the pattern.
  const alone = new Map(hidden.toReversed().map(({ text, label }) => [text.toLowerCase(), label]))
  let pattern: RegExp | null = null
  // Keys that resemble each other have traces in common.
  const traces = [escapedLetterOrDigit, ...new Set(hidden.flatMap(({ text }) => tracesOf(text)))]
  const trace = new RegExp(traces.join('|'), 'i')
  const redactRun = (run: string) => {
    const label = alone.get(run.toLowerCase())
    if (label !== undefined) return label
    pattern ??= new RegExp(hidden.map(({ text }) => `(${patternOf(text)})`).join('|'), 'gi')
    return run.replace(pattern, (_found, ...groups: (string | undefined)[]) => {
      const which = groups.findIndex((group) => group !== undefined)
      return hidden[which]?.label ?? '[redacted]'
    })
  }
  const border = borderOf(hidden.map(({ text }) => text))
  const redact = (text: string) =>
    text
      .split(border)
      .map((run) => (trace.test(run) ? redactRun(run) : run))
      .join('')
  // The full pattern is slow, so it sees the runs alone in which a secret may be.
  // Nearly every text holds no secret, and the header with the key comes with each request.
  const again = new Map<string, string>()
  return (text) => {
    if (!trace.test(text)) return text
    const redacted = again.get(text) ?? redact(text)
    if (text.length <= longestKept && again.size < mostKept) again.set(text, redacted)
    return redacted
  }
}

/**
 * The beginning of a text, redacted, and how many more characters there are. No more of the text is
 * looked at than need be, and a secret that a cut runs through is not half shown.
 */
export function redactedStart(
  text: string,
  most: number,
  redact: (text: string) => string,
): { readonly start: string; readonly more: number } {
  const looked = text.slice(0, most + longestSecret)
  const safe = redact(looked)
  const unseen = text.length - looked.length
  // The end of what was looked at may be a part of a secret.
  const start = safe.slice(0, unseen === 0 ? most : Math.max(0, Math.min(most, safe.length - longestSecret)))
  return { start, more: safe.length - start.length + unseen }
}

/** No secret takes more signs, in whatever escaping. */
const longestSecret = 4_000

const longestKept = 500
const mostKept = 500

/** Matches a secret as text in any escaping, and its bytes in base64 and hexadecimal. */
function patternOf(secret: string): string {
  const bytes = Buffer.from(secret)
  const asText = [...secret].map(characterPattern).join('')
  // A short secret is only replaced where it stands alone: every text contains the letter k.
  const text = secret.length < 8 ? `(?<![A-Za-z0-9])${asText}(?![A-Za-z0-9])` : asText
  return [text, bytes.toString('hex'), ...base64Cores(bytes).map(withBorders)].join('|')
}

/** The characters next to a core belong to the secret in part, and so does the padding. */
function withBorders(core: string): string {
  return `[A-Za-z0-9+/_-]?${literal(core)}(?:[A-Za-z0-9+/_-]{1,2}(?![A-Za-z0-9+/_-])=*|[A-Za-z0-9+/_-]?)`
}

/** Hardly any text escapes a letter or a digit without need; one that does may spell a secret with it. */
const escapedLetterOrDigit = String.raw`(?:%(?:25)*|\\+u00)(?:3\d|[46][1-9a-f]|[57][\da])|&(?:amp;)*#(?:0*(?:4[89]|5[0-7]|6[5-9]|[78]\d|9[0789]|1[01]\d|12[0-2])|x0*(?:3\d|[46][1-9a-f]|[57][\da]));`

/** Plain pieces, one of which stands in every text that holds the secret with its letters as they are. */
function tracesOf(secret: string): string[] {
  const [longest = ''] = (secret.match(/[A-Za-z0-9]+/g) ?? []).toSorted((a, b) => b.length - a.length)
  const bytes = Buffer.from(secret)
  return [longest, bytes.toString('hex'), ...base64Cores(bytes).map(literal)]
}

/**
 * Matches a sign that no secret is written with. A text is split at each of them, and not matched run
 * by run: for a run of millions of signs the engine's memory does not suffice.
 */
function borderOf(secrets: readonly string[]): RegExp {
  const others = new Set(secrets.join('').match(/[^A-Za-z0-9]/g))
  const escaped = [...others].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new RegExp(`([^A-Za-z0-9+/_=%\\\\&#;${escaped.join('')}-])`)
}

/** Any sign may be escaped, and that again and again; letters and digits mostly stand for themselves. */
function characterPattern(sign: string): string {
  const code = sign.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const entities = [`#0*${code};`, `#x0*${hex};`, ...(namedEntities[sign] ?? [])].map((name) => `&(?:amp;)*${name}`)
  // The longer spellings first: a sign may be the beginning of its own escape.
  const itself = /[A-Za-z0-9]/.test(sign) ? sign : `\\\\*${literal(sign)}`
  const spellings = [...entities, `%(?:25)*${hex}`, `\\\\+u00${hex}`, itself]
  return `(?:${spellings.join('|')})`
}

const namedEntities: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp;'],
  '<': ['lt;'],
  '>': ['gt;'],
  '"': ['quot;'],
  "'": ['apos;'],
  '+': ['plus;'],
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
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
