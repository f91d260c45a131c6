import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimPort, releasePort } from './port-claims.ts'

/** No TCP port at all, so that no kit on this machine ever wants it. */
const port = 100_000 + process.pid
const claim = join(tmpdir(), `copytrade-tck-port-${port}`)

test('a port is claimed once, until it is released', () => {
  onTestFinished(() => releasePort(port))
  expect(claimPort(port)).toBe(true)
  expect(claimPort(port)).toBe(false)
  releasePort(port)
  expect(existsSync(claim)).toBe(false)
  expect(claimPort(port)).toBe(true)
})

test('the claim of a process that is gone counts no more', async () => {
  onTestFinished(() => releasePort(port))
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  writeFileSync(claim, String(child.pid))
  expect(claimPort(port)).toBe(true)
})
