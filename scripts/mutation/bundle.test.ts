import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
// @ts-expect-error A script without declarations.
import { bundle } from './bundle.js'

test('Node.js loads the bundle of the mutants, with all APIs', async () => {
  // Its packages are found from there.
  const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}mutants-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { module, mutants } = await bundle(folder)
  const program = `const { apis } = await import('${module}'); console.log(apis.map(({ name }) => name).join())`
  const names = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(names.trim()).toBe('plugin,platform')
  expect(mutants.length).toBeGreaterThan(500)
}, 60_000)
