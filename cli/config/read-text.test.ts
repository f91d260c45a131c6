import { expect, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { readJson, readYaml } from './read.ts'

function errorTextOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('nothing was rejected')
}

test('YAML: every option has its line number, and numbers keep their spelling', () => {
  expect(readYaml('f', '# note\nmaxFill: 0x10\nonly:\n  - "a.*"\n  - 5\n\nstrict: true\nseed:\n')).toEqual([
    { key: 'maxFill', value: '0x10', line: 2 },
    { key: 'only', value: ['a.*', '5'], line: 3 },
    { key: 'strict', value: true, line: 7 },
    { key: 'seed', value: null, line: 8 },
  ])
})

test('JSON: every option has its line number, even with tabs and a trailing line feed', () => {
  expect(readJson('f', '{\n\t"maxFill": 5,\n\t"only": ["a"],\n\n\t"strict": false\n}\n')).toEqual([
    { key: 'maxFill', value: '5', line: 2 },
    { key: 'only', value: ['a'], line: 3 },
    { key: 'strict', value: false, line: 5 },
  ])
})

test.for([
  { text: 'maxFill: 5\nmaxFill: 6\n', says: 'f:2: Map keys must be unique.' },
  { text: 'strict: true\n- a\n', says: 'f:2: ' },
  { text: 'only: [a\nstrict: true\n', says: 'f:2: ' },
  { text: '\n- a\n', says: 'f:2: The file must hold a YAML mapping of options.' },
  ...['', '# nothing yet\n', '---\n'].map((text) => ({
    text,
    says: 'f:1: The file must hold a YAML mapping of options.',
  })),
  { text: 'strict: !env STRICT\n', says: 'f:1: Unresolved tag.' },
  { text: 'strict: true\n---\nstrict: false\n', says: 'f:2: Source contains multiple documents.' },
])('YAML $text is rejected: $says', ({ text, says }) => {
  expect(errorTextOf(() => readYaml('f', text))).toContain(says)
})

test.for([
  { text: '{\n  "maxFill": 5,\n}', says: 'f:3: Quoted object key expected.' },
  { text: '{\n  // note\n}', says: 'f:2: ' },
  { text: '{\n  "maxFill" 5\n}', says: "f:2: Colon ':' expected after property name." },
  { text: '{ "strict": tru }', says: 'f:1: ' },
  { text: '', says: 'f:1: JSON value expected.' },
  { text: '{ "seed": 1,\n  "seed": 1 }', says: 'f:2: Map keys must be unique.' },
  { text: '[]', says: 'f:1: The file must hold a JSON object of options.' },
])('JSON $text is rejected: $says', ({ text, says }) => {
  expect(errorTextOf(() => readJson('f', text))).toContain(says)
})

test.for([
  'apiKey: |sesame\n',
  'apiKey: "sesame',
  'apiKey: @sesame',
  'apiKey: a: sesame',
  'apiKey: [sesame',
  'sesame',
  'apiKey: "\\sesame"',
])('an error about YAML never repeats a value: %j', (text) => {
  expect(errorTextOf(() => readYaml('f', text))).not.toContain('sesame')
})

test('an alias is not accepted as a value', () => {
  expect(readYaml('f', 'only: &all [*all]\n')).toEqual([{ key: 'only', value: [null], line: 1 }])
})
