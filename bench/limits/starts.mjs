// starts.mjs <archive> <starts> <first port> <program> <argument…>: starts a server `starts` times, two at a time, and
// distributes the exchanges of an archive over the starts, on one persistent connection each.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readExchanges, sendAll } from './exchanges.mjs'

const [, , archive, starts, firstPort, program, ...args] = process.argv
const key = 'key-of-the-benchmark'
const requests = JSON.parse(
  JSON.stringify(readExchanges(archive).map(({ request }) => request)).replaceAll('[redacted]', key),
)
const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-bench-'))
const parameters = join(folder, 'parameters.json')
writeFileSync(parameters, JSON.stringify({ API_Key: key }))
let started = 0

await Promise.all([lane(0), lane(1)])
rmSync(folder, { recursive: true })

async function lane(number) {
  const port = Number(firstPort) + number
  const data = join(folder, `${number}`)
  mkdirSync(data)
  while (started < Number(starts)) {
    const share = requests.filter((_, index) => index % Number(starts) === started)
    started += 1
    const env = { ...process.env, TCK_PORT: `${port}`, TCK_DATA_DIR: data, TCK_PARAMETERS: parameters }
    const server = spawn(program, args, { env, stdio: 'ignore' })
    const ended = once(server, 'exit')
    await untilOpen(port)
    await sendAll(`http://127.0.0.1:${port}`, share)
    server.kill()
    await ended
  }
}

async function untilOpen(port) {
  const open = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  while (!(await open())) await pause(2)
}
