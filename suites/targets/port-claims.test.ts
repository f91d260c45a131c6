import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { claimPort, releasePort } from './ports.ts'

/** A free port; its claim ends with the test. */
async function claimable(): Promise<number> {
  const port = await freePort()
  onTestFinished(() => releasePort(port))
  return port
}

test('a port is claimed once, until it is released', async () => {
  const port = await claimable()
  expect(await claimPort(port)).toBe(true)
  expect(await claimPort(port)).toBe(false)
  releasePort(port)
  expect(await claimPort(port)).toBe(true)
})

test('only one of many concurrent claims succeeds', async () => {
  const port = await claimable()
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimPort(port)))
  expect(claims.filter(Boolean)).toHaveLength(1)
})

test('a killed process loses its claim', async () => {
  const port = await claimable()
  const claim = `require('dgram').createSocket('udp4').bind(${port}, '127.0.0.1', () => console.log('claimed'))`
  const child = spawn(process.execPath, ['-e', claim], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  expect(await claimPort(port)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await claimPort(port)).toBe(true)
})

test('a server can listen on a claimed port', async () => {
  const port = await claimable()
  await claimPort(port)
  const server = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
})
