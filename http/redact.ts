export interface Labelled {
  readonly text: string
  readonly label: string
}

/**
 * Returns a function that replaces every secret in a string: plain, URL-encoded, escaped as in JSON or HTML, in base64
 * at any offset, or in hexadecimal. `near` are strings so similar to a secret that they would reveal it; they get their
 * own label.
 */
export function createRedactor(secrets: readonly string[], near: readonly Labelled[] = []): (text: string) => string {
  // The longest first: a wrong key may contain the key, or the other way round.
  const hidden = [...secrets.map((text) => ({ text, label: '[redacted]' })), ...near]
    .filter(({ text }, at, all) => text !== '' && all.findIndex((other) => other.text === text) === at)
    .toSorted((a, b) => b.text.length - a.text.length)
  if (hidden.length === 0) return (text) => text
  // Most secrets are whole strings, so the pattern is rarely needed.
  const exact = new Map(hidden.map(({ text, label }) => [text, label]))
  // Escapes make the pattern slow, and most strings have none.
  const patterns = new Map<typeof literal, RegExp>()
  const patternFor = (run: string) => {
    const character = /[%\\&]/.test(run) ? escapedCharacter : literal
    const pattern = patterns.get(character) ?? patternOfAll(hidden, character)
    patterns.set(character, pattern)
    return pattern
  }
  // Similar keys share traces.
  const traces = [escapedLetterOrDigit, ...new Set(hidden.flatMap(({ text }) => tracesOf(text)))]
  const trace = new RegExp(traces.join('|'), 'i')
  const redactRun = (run: string) =>
    exact.get(run) ??
    run.replace(patternFor(run), (_found, ...groups: (string | undefined)[]) => {
      const which = groups.findIndex((group) => group !== undefined)
      return hidden[which]?.label ?? '[redacted]'
    })
  const border = borderOf(hidden.map(({ text }) => text))
  const redact = (text: string) =>
    text
      .split(border)
      .map((run) => (trace.test(run) ? redactRun(run) : run))
      .join('')
  // The full pattern is slow, and the few strings that may contain a secret are repeated, so their results are cached.
  const cache = new Map<string, string>()
  return (text) => {
    if (!trace.test(text)) return text
    const redacted = cache.get(text) ?? redact(text)
    if (text.length <= maxCachedLength && cache.size < maxCachedStrings) cache.set(text, redacted)
    return redacted
  }
}

/**
 * The redacted start of a string, and the number of characters after it. Only the needed part is redacted, and a secret
 * at the end of it is not partly shown.
 */
export function redactedStart(text: string, most: number, redact: (text: string) => string) {
  const looked = text.slice(0, most + longestSecret)
  const safe = redact(looked)
  const unseen = text.length - looked.length
  // The redacted part may end with the start of a secret.
  const start = safe.slice(0, unseen === 0 ? most : Math.max(0, Math.min(most, safe.length - longestSecret)))
  return { start, more: safe.length - start.length + unseen }
}

/** The same as one string, with a note about the rest. */
export function redactedExcerpt(text: string, most: number, redact: (text: string) => string): string {
  const { start, more } = redactedStart(text, most, redact)
  return more === 0 ? start : `${start}… (${more} more characters)`
}

/** The maximum number of characters of a secret, however it is escaped. */
export const longestSecret = 4_000

const maxCachedLength = 500
const maxCachedStrings = 1_000

/** Matches any of the strings; the number of the group tells which. */
function patternOfAll(hidden: readonly Labelled[], character: (sign: string) => string): RegExp {
  return new RegExp(hidden.map(({ text }) => `(${patternOf(text, character)})`).join('|'), 'gi')
}

/** Matches a secret in base64, in hexadecimal, and as text with its characters matched by `character`. */
function patternOf(secret: string, character: (sign: string) => string): string {
  const bytes = Buffer.from(secret)
  const asText = [...secret].map(character).join('')
  const hex = bytes.toString('hex')
  const base64 = base64Cores(bytes).map(withBorders)
  // A short secret is replaced only as a separate word, since it may be part of ordinary words and names. A check sends
  // it directly after the word Bearer.
  if (secret.length < 8) return [`(?:(?<![\\w%-])|(?<=bearer))(?:${asText}|${hex})(?![\\w-])`, ...base64].join('|')
  // The rest of the word may be a part of the secret.
  return [`${asText}[A-Za-z0-9]*`, hex, ...base64].join('|')
}

/** The characters next to a core belong to the secret, and so does the padding. */
function withBorders(core: string): string {
  return `[A-Za-z0-9+/_-]?${literal(core)}(?:[A-Za-z0-9+/_-]{1,2}(?![A-Za-z0-9+/_-])=*|[A-Za-z0-9+/_-]?)`
}

/** Escaped letters and digits are rare. If there are any, they may be part of a secret. */
const escapedLetterOrDigit = String.raw`(?:%(?:25)*|\\+u00)(?:3\d|[46][1-9a-f]|[57][\da])|&(?:amp;)*#(?:0*(?:4[89]|5[0-7]|6[5-9]|[78]\d|9[0789]|1[01]\d|12[0-2])|x0*(?:3\d|[46][1-9a-f]|[57][\da]));`

/** Substrings of which every string with the unescaped secret contains one. */
function tracesOf(secret: string): string[] {
  const [longest = ''] = (secret.match(/[A-Za-z0-9]+/g) ?? []).toSorted((a, b) => b.length - a.length)
  const bytes = Buffer.from(secret)
  return [longest, bytes.toString('hex'), ...base64Cores(bytes).map(literal)]
}

/**
 * Matches a character that no encoded secret contains. Strings are split there instead of matched as a
 * whole: a match of millions of characters exhausts the memory of the engine.
 */
function borderOf(secrets: readonly string[]): RegExp {
  const others = new Set(secrets.join('').match(/[^A-Za-z0-9]/g))
  const escaped = [...others].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new RegExp(`([^A-Za-z0-9+/_=%\\\\&#;${escaped.join('')}-])`)
}

/** Any character may be escaped, also repeatedly; letters and digits rarely are. */
function escapedCharacter(sign: string): string {
  const code = sign.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const entities = [`#0*${code};`, `#x0*${hex};`, ...(namedEntities[sign] ?? [])].map((name) => `&(?:amp;)*${name}`)
  // The longer spellings come first, since a character may also start its own escape.
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

/** A regular expression that matches only this text. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/**
 * The base64 characters that depend only on the secret, for each of its three possible offsets in a longer string. A
 * core of fewer than eight characters would also match ordinary text.
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
