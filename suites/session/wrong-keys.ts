import { NotApplicable } from '../assertions/failure.ts'

/** One way to make a wrong key that is similar to the correct one. */
export interface KeyVariation {
  /** The end of "the key …". */
  readonly name: string
  readonly apply: (key: string) => string
  /** The same between double quotes in a shell, with the key in the variable `KEY`. */
  readonly shell: string
}

/** Replaces or swaps the character at `p`, so that the command discloses nothing about the key. */
const replaced = 'print substr($0, 1, p - 1) (substr($0, p, 1) == "x" ? "y" : "x") substr($0, p + 1)'
const swapped = 'print substr($0, 1, p - 1) substr($0, p + 1, 1) substr($0, p, 1) substr($0, p + 2)'

const expanded = (parameter: string) => `$\{${parameter}}`
const filtered = (command: string) => `$(printf '%s\\n' "$KEY" | ${command})`

const otherAt = (key: string, at: number) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
const otherCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())

function swapMiddle(key: string): string {
  const middle = Math.floor(key.length / 2)
  return key.slice(0, middle - 1) + (key[middle] ?? '') + (key[middle - 1] ?? '') + key.slice(middle + 1)
}

/** Another character at a position, which `place` gives to `awk`, counted from 1. */
const other = (which: string, at: (length: number) => number, place: string): KeyVariation => ({
  name: `with another ${which} character`,
  apply: (key) => otherAt(key, at(key.length)),
  shell: filtered(`awk '{ p = ${place}; ${replaced} }'`),
})

/** Its length is 0 in eight bits. */
const longText = 'xy'.repeat(128)

export const keyVariations: readonly KeyVariation[] = [
  other('first', () => 0, '1'),
  other('second', () => 1, '2'),
  other('middle', (length) => Math.floor(length / 2), 'int(length($0) / 2) + 1'),
  {
    name: 'with two characters swapped',
    apply: swapMiddle,
    shell: filtered(`awk '{ p = int(length($0) / 2); ${swapped} }'`),
  },
  other('last', (length) => length - 1, 'length($0)'),
  { name: 'backwards', apply: (key) => [...key].reverse().join(''), shell: filtered('rev') },
  { name: 'without its last character', apply: (key) => key.slice(0, -1), shell: expanded('KEY%?') },
  { name: 'without its first character', apply: (key) => key.slice(1), shell: expanded('KEY#?') },
  { name: 'with one more character', apply: (key) => `${key}x`, shell: `${expanded('KEY')}x` },
  { name: 'behind one more character', apply: (key) => `x${key}`, shell: 'x$KEY' },
  { name: 'with 256 more characters', apply: (key) => key + longText, shell: `${expanded('KEY')}${longText}` },
  { name: 'twice', apply: (key) => key + key, shell: expanded('KEY').repeat(2) },
  { name: 'in the other case', apply: (key) => key.replace(/./gu, otherCase), shell: filtered("tr 'A-Za-z' 'a-zA-Z'") },
]

/** Shown instead of a wrong key, which would disclose the correct one. */
export const wrongKeyLabel = (name: string) => `[wrong key: the key ${name}]`

/** Wrong keys: some similar to the correct one, and texts that stand for no value or for any. */
export function wrongKeys(key: string): readonly string[] {
  const changed = [`${key},x`, `${key};x`, `${key} x`, `"${key}"`, `${key}=`, `${key}%00`]
  const similar = [...keyVariations.map(({ apply }) => apply(key)), ...changed]
  const others = [longText, 'undefined', 'null', '*', '%']
  return [...new Set([...similar, ...others])].filter((candidate) => candidate !== '' && candidate !== key)
}

/** Whether RFC 6750 allows it as a Bearer token. A server may reject other tokens with 400. */
export const isBearerToken = (text: string) => /^[A-Za-z0-9\-._~+/]+=*$/.test(text)

/** The header with the correct key. @throws {NotApplicable} for a key with other characters than RFC 6750 allows */
export function bearerHeader(key: string): { readonly Authorization: string } {
  if (isBearerToken(key)) return { Authorization: `Bearer ${key}` }
  throw new NotApplicable('the key has characters that a Bearer token cannot have (RFC 6750)')
}
