import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveRunOptions } from '../options/run-options.ts'
import { judgeInstall } from './judge-install.ts'

test('many installs at the same time cause no warning of Node.js', async () => {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const options = resolveRunOptions({ target: 'http://127.0.0.1', apiKey: 'k' }, {})
  const { signal } = new AbortController()
  const judge = (name: string) => judgeInstall({ name, options, config: {}, env: process.env }, out, signal)
  // The command is not compiled here, so that each run ends at once.
  await Promise.all(Array.from({ length: 12 }, (_, at) => judge(`install-${at}`)))
  expect(warnings).toEqual([])
})
