import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveRunOptions } from '../options/run-options.ts'
import { judgeInstall } from './judge-install.ts'

const options = resolveRunOptions({ target: 'http://127.0.0.1', apiKey: 'k' }, {})

test('a fleet that is interrupted while the folder of an install is prepared does not begin its run', async () => {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const controller = new AbortController()
  const judged = judgeInstall({ name: 'a', options, config: {}, env: process.env }, out, controller.signal)
  controller.abort()
  expect((await judged).install).toMatchObject({ exitCode: 3, explanation: expect.stringContaining('interrupted') })
})

test('the configuration of an install, whose hook commands may hold secrets, is readable only by this user', async () => {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  mkdirSync(join(out, 'a'))
  writeFileSync(join(out, 'a/run.config.json'), 'of an earlier version', { mode: 0o644 })
  const { signal } = new AbortController()
  await judgeInstall({ name: 'a', options, config: {}, env: process.env }, out, signal)
  expect(statSync(join(out, 'a/run.config.json')).mode & 0o777).toBe(0o600)
})

test('many installs at the same time cause no warning of Node.js', async () => {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { signal } = new AbortController()
  const judge = (name: string) => judgeInstall({ name, options, config: {}, env: process.env }, out, signal)
  // The command is not compiled here, so that each run ends at once.
  await Promise.all(Array.from({ length: 12 }, (_, at) => judge(`install-${at}`)))
  expect(warnings).toEqual([])
})
