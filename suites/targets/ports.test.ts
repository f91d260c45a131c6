import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endConnectionAt } from '../../fixtures/ended-connection.ts'
import { programOrSkip } from '../../fixtures/programs.ts'
import { PortTaken, type ServerSettings } from './driver.ts'
import { portsOfEndedConnections } from './listeners.ts'
import {
  awaitPort,
  choosePort,
  claimPort,
  portsFrom,
  portVariable,
  releasePort,
  requireFree,
  withPort,
} from './ports.ts'

/** A port for a server; its claim ends with the test. */
async function choose(wanted: ServerSettings): Promise<number> {
  const port = await choosePort(wanted)
  onTestFinished(() => releasePort(port))
  return port
}

const settings = { parameters: { API_Key: 'k' }, port: 'given', capacity: null } as const

/** Tries to take a port until the end of the test. Returns whether it could. */
async function take(port: number): Promise<boolean> {
  const server = createServer()
  onTestFinished(() => {
    server.close()
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

test('each server gets its own free port', async () => {
  const ports = await Promise.all([choose(settings), choose(settings), choose(settings)])
  expect(new Set(ports).size).toBe(3)
  for (const port of ports) expect(await take(port)).toBe(true)
})

test.skipIf(process.platform !== 'linux')(
  'a port that ended connections of another server hold is not chosen',
  async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await once(connect(port, '127.0.0.1').resume(), 'close')
    server.close()
    await once(server, 'close')
    const chosen = await portsFrom(port - 100, port, port - 1)()
    onTestFinished(() => releasePort(chosen))
    expect(chosen).not.toBe(port)
  },
)

test('a high port needs 16 bits, and is given like any other', async () => {
  const high = { ...settings, port: 'high' } as const
  const port = await choose(high)
  expect(port).toBeGreaterThan(32_767)
  expect(portVariable(high, port)).toEqual({ TCK_PORT: String(port) })
  expect(withPort(high, port)).toMatchObject({ API_Port: String(port) })
})

test('the default port is 8443, and it is an error if another program uses it, but not with HTTP/3', async () => {
  const datagrams = createSocket('udp4')
  onTestFinished(() => void datagrams.close())
  // It may be in use already, which is as good.
  await new Promise((resolve) => datagrams.once('error', resolve).bind(8443, '127.0.0.1', () => resolve(null)))
  const chosen = await choose({ ...settings, port: 'default' }).catch((error: unknown) => error)
  // Another test on this machine may be using the port, so both results can be right.
  expect(chosen instanceof PortTaken ? chosen.message : chosen).toBeOneOf([
    8443,
    'port 8443 is used by another program',
  ])
})

test('the driver waits for a port that another kit uses, and less long for one of another program', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => releasePort(port))
  expect(await claimPort(port)).toBe(true)
  expect(await awaitPort(port, { kit: 1, program: 1 })).toBe(false)
  const waiting = awaitPort(port, { kit: 5_000, program: 5_000 })
  releasePort(port)
  server.close()
  expect(await waiting).toBe(true)
})

test('a port that another program uses is not claimed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await awaitPort(port, { kit: 5_000, program: 1 })).toBe(false)
  expect(await claimPort(port)).toBe(true)
  releasePort(port)
})

test('a server gets its port as a parameter, unless it must use its default or a port is given', () => {
  expect(withPort(settings, 5000)).toEqual({ API_Key: 'k', API_Port: '5000' })
  expect(withPort({ ...settings, port: 'default' }, 8443)).toEqual({ API_Key: 'k' })
  expect(withPort({ ...settings, parameters: { API_Port: '7' } }, 5000)).toEqual({ API_Port: '7' })
})

test.skipIf(process.platform !== 'linux')(
  'a port without a listener is up to the server, even if its closed connections hold it',
  async ({ skip }) => {
    const port = endConnectionAt(0, programOrSkip('python3', skip))
    expect(await take(port)).toBe(false)
    expect([...portsOfEndedConnections()]).toContain(port)
    await requireFree(port)
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.close()
    })
    await once(server, 'listening')
    await expect(requireFree((server.address() as AddressInfo).port)).rejects.toThrow('is used by another program')
  },
)
