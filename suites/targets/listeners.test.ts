import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { foreignListener, isReachable, listenersOf, processesOf, type Started } from './listeners.ts'

const folder = '/tmp/the-data-folder-of-this-test'

/** A shell command in its own process group, as `--exec` starts it; it must print a line when it is ready. */
async function start(command: string): Promise<Started> {
  const env = { ...process.env, TCK_DATA_DIR: folder }
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'], env })
  const started = { group: child.pid ?? 0, folder }
  onTestFinished(() => {
    for (const { pid } of processesOf(started)) process.kill(pid, 'SIGKILL')
  })
  await once(child.stdout, 'data')
  return started
}

/** The source of a server; the kernel chooses the port. */
const listening = (...addresses: readonly string[]) =>
  `"${process.execPath}" -e '
    const { createServer } = require("net")
    const ports = []
    for (const address of ${JSON.stringify(addresses)}) {
      const server = createServer().listen(0, address, () => ports.push(server.address().port) === ${addresses.length} && console.log("ready"))
    }'`

async function listenHere(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('the ports of a command are found, even if a shell started it', async () => {
    const processes = processesOf(await start(`${listening('127.0.0.1', '0.0.0.0')}; true`))
    expect(processes.map(({ name }) => name)).toEqual([
      expect.stringMatching(/sh$/),
      expect.stringMatching(/node|Main/),
    ])
    const listeners = listenersOf(processes) ?? []
    expect(listeners.map(({ address }) => address).toSorted()).toEqual(['0.0.0.0', '127.0.0.1'])
    expect(listeners.every(isReachable)).toBe(true)
  })

  test('connections to 127.0.0.1 do not reach a server that listens only on ::1', async () => {
    const listeners = listenersOf(processesOf(await start(listening('::1'))))
    expect(listeners).toEqual([{ address: '[::1]', port: expect.any(Number), inode: expect.any(String) }])
    expect(listeners?.some(isReachable)).toBe(false)
  })

  test.each(['setsid', ''])('a background process that %s still belongs to its command', async (how) => {
    const started = await start(`${how} ${listening('127.0.0.1')} &`)
    const [listener] = listenersOf(processesOf(started)) ?? []
    expect(foreignListener(listener?.port ?? 0, started)).toBeNull()
  })

  test('a process outside of the command is named with its port', async () => {
    const started = await start('echo; exec sleep 60')
    const port = await listenHere()
    expect(foreignListener(port, started)).toMatchObject({ pid: process.pid })
    expect(foreignListener(port, null)).toMatchObject({ pid: process.pid })
  })

  test('a port where nothing listens has no process', async () => {
    expect(foreignListener(1, null)).toBeNull()
  })
})
