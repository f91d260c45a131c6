import { constantFrom, property, string, tuple, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../simulator/testing/always.ts'
import { createRedactor, redactedStart } from './redact.ts'

/** Keys that HTTP headers can carry, long enough not to be an ordinary word. */
const anyKey = string({
  unit: constantFrom(...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))),
  minLength: 9,
  maxLength: 40,
})

/** Bytes before and after a secret. */
const around = tuple(uint8Array({ maxLength: 9 }), uint8Array({ maxLength: 9 }))

const spellings: Readonly<Record<string, (key: string) => string>> = {
  'plain': (key) => key,
  'in upper case': (key) => key.toUpperCase(),
  'URL-encoded': (key) => encodeURIComponent(key),
  'URL-encoded in lower case': (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  'escaped as in JSON': (key) => JSON.stringify(key).slice(1, -1),
  'URL-encoded with its letters': (key) => Buffer.from(key).toString('hex').replace(/../g, '%$&'),
  'escaped as in JSON with its letters': (key) => key.replace(/./g, (sign) => `\\u${codeOf(sign, 16, 4)}`),
  'escaped as in HTML with its letters': (key) => key.replace(/./g, (sign) => `&#${codeOf(sign, 10, 0)};`),
  'in hexadecimal': (key) => Buffer.from(key).toString('hex'),
  'in upper-case hexadecimal': (key) => Buffer.from(key).toString('hex').toUpperCase(),
}

function codeOf(sign: string, radix: number, digits: number): string {
  return sign.charCodeAt(0).toString(radix).padStart(digits, '0')
}

test.for(Object.entries(spellings))('no key survives %s', ([, spell]) => {
  always(
    property(anyKey, (key) => {
      const redact = createRedactor([key])
      const spelled = spell(key)
      const safe = redact(`before ${spelled} between ${spelled}`)
      // The surrounding words show that the text was not simply emptied.
      expect(safe).toBe('before [redacted] between [redacted]')
    }),
  )
})

test('a short key is replaced as a word, and directly after the word Bearer', () => {
  const redact = createRedactor(['k9x7'])
  expect(redact('Bearer k9x7, Bearerk9x7 and bearerk9x7')).toBe(
    'Bearer [redacted], Bearer[redacted] and bearer[redacted]',
  )
  expect(redact('ak9x7 k9x7s')).toBe('ak9x7 k9x7s')
})

test.for(['base64', 'base64url'] as const)('no key survives %s, at any of the three offsets', (encoding) => {
  always(
    property(anyKey, around, (key, [before, after]) => {
      const encoded = Buffer.concat([before, Buffer.from(key), after]).toString(encoding)
      const safe = createRedactor([key])(encoded)
      expect(safe).toContain('[redacted]')
      const decoded = safe
        .split('[redacted]')
        .flatMap((part) => [0, 1, 2, 3].map((shift) => Buffer.from('A'.repeat(shift) + part, 'base64')))
      // The remaining text, decoded at any alignment, contains no part of the key except by chance.
      for (const bytes of decoded) expect(bytes.includes(key.slice(0, 4)) && bytes.includes(key.slice(-4))).toBe(false)
      expect(safe.length).toBeLessThan(encoded.length - Math.floor((key.length * 8) / 6) + '[redacted]'.length + 3)
    }),
  )
})

test('a string without the key does not change', () => {
  always(
    property(string(), (text) => {
      expect(createRedactor(['a-key-that-no-random-text-holds'])(text)).toBe(text)
    }),
  )
})

test('regular expression syntax in a key is matched literally', () => {
  const redact = createRedactor(['a.b*c+(d)[e]{2}^$|\\z'])
  expect(redact('aXbbc+(d)[e]{2}^$|\\z')).toBe('aXbbc+(d)[e]{2}^$|\\z')
  expect(redact('<a.b*c+(d)[e]{2}^$|\\z>')).toBe('<[redacted]>')
})

test.for(['k', 'ab', 'k-1', '007', '6b'])('the short key %s is redacted only as a separate word', (key) => {
  const redact = createRedactor([key])
  expect(redact(`X-Key: ${key}`)).toBe('X-Key: [redacted]')
  expect(redact(`{"key":"${key}"}`)).toBe('{"key":"[redacted]"}')
  const inside = `w${key} ${key}w 1${key}1 my-${key} ${key}_name X-${key}: 16b4 %6bey 616261`
  expect(redact(inside)).toBe(inside)
})

test('if one secret contains another, nothing of the longer one remains', () => {
  for (const secrets of [
    ['secret', 'secret-and-more'],
    ['secret-and-more', 'secret'],
  ]) {
    expect(createRedactor(secrets)('secret-and-more, secret')).toBe('[redacted], [redacted]')
  }
})

test('without secrets, or with an empty one, no text changes', () => {
  expect(createRedactor([])('some text')).toBe('some text')
  expect(createRedactor([''])('some text')).toBe('some text')
})

test.each([
  ['abc/def+ghi-123', 'abc\\/def+ghi-123'],
  ['abc/def+ghi-123', 'abc/def\\u002Bghi-123'],
  ['abc&def<ghi>"', 'abc&amp;def&lt;ghi&gt;&quot;'],
])('%s is also redacted as other encoders spell it', (key, spelling) => {
  expect(createRedactor([key])(`"${spelling}"`)).toBe('"[redacted]"')
})

test('the rest of a word that starts with the key is redacted too', () => {
  expect(createRedactor(['secret-k'])('a secret-key, "secret-k"\\nsecret-k')).toBe(
    'a [redacted], "[redacted]"\\n[redacted]',
  )
})

test('a key that is almost correct gets a label of its own and is not revealed', () => {
  const near = [
    { text: 'right-key-', label: '[short]' },
    { text: 'right-key-1x', label: '[long]' },
    { text: 'RIGHT-KEY-1', label: '[upper case]' },
  ]
  const redact = createRedactor(['right-key-1'], near)
  expect(redact('right-key-1 right-key-1x right-key- RIGHT-KEY-1')).toBe('[redacted] [long] [short] [upper case]')
})

test('a string of four million characters is redacted', () => {
  const long = 'y'.repeat(2 ** 22)
  const redact = createRedactor(['a-secret-of-tests'])
  expect(redact(`${long} a-secret-of-tests`) === `${long} [redacted]`).toBe(true)
})

test.for([
  ['before the cut', 80],
  ['across the cut', 95],
  ['across the end of what is looked at', 4_095],
] as const)('the start of a long text shows no part of a secret %s', ([_where, before]) => {
  const secret = 'a-secret-of-tests'
  const { start, more } = redactedStart(`${'.'.repeat(before)}${secret.repeat(600)}`, 100, createRedactor([secret]))
  expect(start).toMatch(/^\.{0,100}(\[redacted\])*(\[[a-z]*)?$/)
  expect(start.length).toBeLessThanOrEqual(100)
  expect(more).toBeGreaterThan(1_000)
})

test('a text that is short after redaction is shown in full', () => {
  const secret = 'a-secret-of-tests'
  expect(redactedStart(`${secret} ${secret}`, 30, createRedactor([secret]))).toEqual({
    start: '[redacted] [redacted]',
    more: 0,
  })
})
