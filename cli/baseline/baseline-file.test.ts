import { expect, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { parseBaseline, readBaseline } from './baseline-file.ts'

const head = 'schema: copytrade-tck/baseline@2\nknownFailures:\n'
const entry = '  - check: CT-301\n    reason: next release\n    signature: "0123456789ab"\n'
const parse = (text: string, path = 'known.yaml') => parseBaseline(text, path, 'demanded')

function errorTextOf(text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.hint}`
    throw error
  }
  return 'accepted'
}

const known = { check: 'CT-301', reason: 'next release', signature: '0123456789ab' }

test('YAML is read, including the optional keys', () => {
  expect(parse(head + entry).knownFailures).toEqual([known])
  const more = '    owner: core team\n    expires: 2026-12-31\n'
  expect(parse(head + entry + more).knownFailures).toEqual([{ ...known, owner: 'core team', expires: '2026-12-31' }])
})

test('JSON is read, including tabs', () => {
  const { check, reason, signature } = known
  const file = { schema: 'copytrade-tck/baseline@2', knownFailures: [{ check, reason, signature }] }
  expect(parse(JSON.stringify(file, null, '\t'), 'known.json').knownFailures).toEqual([known])
})

test('a baseline may be empty', () => {
  expect(parse(`${head.trimEnd()} []\n`).knownFailures).toEqual([])
})

test.for([
  [head + entry.replace('next release', '""'), 'known.yaml:4: `knownFailures[0].reason` is empty. Say why'],
  [head + entry.replace('next release', '"  "'), 'known.yaml:4: `knownFailures[0].reason` is empty'],
  [head + entry.replace('    reason: next release\n', ''), 'known.yaml:3: `knownFailures[0].reason` is missing.'],
  [head + entry.replace('next release', '7'), 'known.yaml:4: `knownFailures[0].reason` must be a string.'],
  [head + entry.replace('reason', 'raeson'), 'known.yaml:4: unknown member `raeson`. Did you mean `reason`?'],
  [`ownr: me\n${head}${entry}`, 'known.yaml:1: unknown member `ownr`.'],
  [head + entry + entry, 'known.yaml:6: `knownFailures[1].check` is CT-301, which already has an entry. Keep one'],
  [
    `${head}${entry}    expires: 2026-02-30\n`,
    'known.yaml:6: `knownFailures[0].expires` is not a date. Give a day like',
  ],
  [`${head}${entry}    expires: soon\n`, 'known.yaml:6: `knownFailures[0].expires` is not a date.'],
  [`${head}${entry}    owner: ""\n`, 'known.yaml:6: `knownFailures[0].owner` is empty.'],
  [`${head}  - CT-301\n`, 'known.yaml:3: `knownFailures[0]` must be a mapping.'],
  [`${head}  check: CT-301\n`, 'known.yaml:2: `knownFailures` must be a list.'],
  [head.replace('@2', '@3') + entry, 'known.yaml:1: `schema` must be `copytrade-tck/baseline@2`.'],
  [entry, 'known.yaml:1: The document must be a mapping.'],
  ['', 'known.yaml:1: The document must be a mapping.'],
  ['knownFailures: []\n', 'known.yaml:1: `schema` is missing.'],
  [`${head}  - check: "CT-301\n`, 'known.yaml:'],
  [`${head}${entry}    reason: again\n`, 'known.yaml:6: '],
] as const)('%j is rejected: %s', ([text, says]) => {
  expect(errorTextOf(text)).toContain(says)
})

test('a missing file is named', () => {
  expect(() => readBaseline('missing.yaml')).toThrow(/cannot be read.*missing\.yaml/)
})

test('reasons may be missing while the file is being filled in', () => {
  const text = head + entry.replace('next release', '""')
  expect(parseBaseline(text, 'k', 'open').knownFailures[0]?.reason).toBe('')
})
