import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programOrSkip } from '../../fixtures/programs.ts'
import { createExecDriver } from '../../suites/targets/exec.ts'
import { emptyFolder } from '../command.ts'

const settings = { parameters: { API_Key: 'k' }, port: 'given', capacity: null } as const

/** A server that closes a connection first, without SO_REUSEADDR: the connection holds its port for a minute. */
const closesFirst = `
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])), reuse_port=False)
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
client = socket.create_connection(server.getsockname())
accepted = server.accept()[0]
accepted.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
accepted.close()
client.close()
`

const server = `require('http').createServer((_, response) => response.end('{}')).listen(process.env.TCK_PORT, '127.0.0.1')`

test.skipIf(process.platform !== 'linux')(
  'a server that cannot listen because of ended connections is started again after them',
  { timeout: 150_000 },
  async ({ skip }) => {
    const python = programOrSkip('python3', skip)
    const driver = createExecDriver({
      command: `exec "${process.execPath}" -e "${server}"`,
      outputFile: join(emptyFolder(), 'server.log'),
      redact: (text) => text,
      ...{ readyMs: 5_000, briefMs: 250, graceMs: 5_000 },
    })
    onTestFinished(() => driver.discardAll())
    const { id, url } = await driver.prepare(settings)
    execFileSync(python, ['-c', closesFirst, new URL(url).port])
    expect(await driver.start(id, 'ready')).toBe(true)
  },
)
