import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './read.ts'

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('the extension decides the format, and a byte order mark is ignored', async () => {
  const entries = [{ key: 'seed', value: '5', line: 1 }]
  expect(await readConfig(file('a.YML', '\ufeffseed: 5'))).toEqual(entries)
  expect(await readConfig(file('a.json', '\ufeff{ "seed": 5 }'))).toEqual(entries)
})

test('undefined options of a module are ignored, and a line number is given only if it is certain', async () => {
  const text = "const strict = true\nexport default {\n  'seed': 5, out: undefined,\n  strict, only: ['only: me'],\n}\n"
  expect(await readConfig(file('a.mjs', text))).toEqual([
    { key: 'seed', value: 5, line: 3 },
    { key: 'strict', value: true, line: null },
    { key: 'only', value: ['only: me'], line: null },
  ])
})

test.for([
  { name: 'a.mjs', text: 'export const seed = 5\n', says: 'must export an object of options as its default' },
  { name: 'a.js', text: 'export default [5]\n', says: 'must export an object of options as its default' },
  { name: 'a.mjs', text: "throw new Error('not today')\n", says: 'cannot be loaded: Error: not today' },
  { name: 'a.toml', text: '', says: 'is not a supported configuration file' },
])('$name with $text is rejected: $says', async ({ name, text, says }) => {
  await expect(readConfig(file(name, text))).rejects.toThrow(says)
})

test('a missing file is rejected', async () => {
  await expect(readConfig('missing.yaml')).rejects.toThrow('cannot be read')
})
