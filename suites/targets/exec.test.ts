import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import { createExecDriver, type ExecOptions } from './exec.ts'

const secret = 'a-key-that-nobody-may-see'
const settings = { parameters: { API_Key: secret, Copy_1: '1>2,mult,1,same' }, port: 'given', capacity: null } as const

/** A driver for a tiny server with the source `program`, which calls `answer` to listen and respond with a value. */
function driverOf(program: string, options: Partial<ExecOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  const file = join(folder, 'server.mjs')
  const outputFile = join(folder, 'server.log')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
     import { existsSync, readFileSync, writeFileSync } from 'node:fs'
     const { TCK_PORT, TCK_DATA_DIR, TCK_PARAMETERS } = process.env
     const answer = (value) => createServer((request, response) => response.end(JSON.stringify(value)))
       .listen(Number(TCK_PORT), '127.0.0.1')
     ${program}`,
  )
  const command = `exec "${process.execPath}" "${file}"`
  const driver = createExecDriver({
    command,
    outputFile,
    redact: createRedactor([secret]),
    readyMs: 10_000,
    briefMs: 250,
    graceMs: 5_000,
    ...options,
  })
  onTestFinished(async () => {
    await driver.discardAll()
    rmSync(folder, { recursive: true, force: true })
  })
  return { driver, command, log: () => readFileSync(outputFile, 'utf8') }
}

type Driven = ReturnType<typeof driverOf>

async function prepare({ driver }: Driven) {
  const prepared = await driver.prepare(settings)
  return prepared
}

const responseOf = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>
const isSilent = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  )

test('a server is ready at its first response, and gets its port, its folder and its parameters', async () => {
  const driven = driverOf(`answer({
    port: TCK_PORT,
    folder: existsSync(TCK_DATA_DIR),
    parameters: JSON.parse(readFileSync(TCK_PARAMETERS, 'utf8')),
  })`)
  const { id, url } = await prepare(driven)
  expect(await driven.driver.start(id, 'ready')).toBe(true)
  const { port } = new URL(url)
  expect(await responseOf(url)).toEqual({ port, folder: true, parameters: { API_Port: port, ...settings.parameters } })
})

test('a server that answers 503 with Retry-After is not ready yet, unless it never answers otherwise', async () => {
  const loads = (ms: number, readyMs = 10_000) => {
    const program = `
      const readyAt = Date.now() + ${ms}
      createServer((request, response) => {
        if (Date.now() < readyAt) response.writeHead(503, { 'Retry-After': '1' })
        response.end('{}')
      }).listen(Number(TCK_PORT), '127.0.0.1')`
    return driverOf(program, { readyMs })
  }
  const loading = loads(700)
  const { id, url } = await prepare(loading)
  expect(await loading.driver.start(id, 'ready')).toBe(true)
  expect((await fetch(url)).status).toBe(200)
  const disabled = loads(60_000, 2_000)
  expect(await disabled.driver.start((await prepare(disabled)).id, 'ready')).toBe(true)
})

test('a server that needs more than a second for each response is ready', async () => {
  const driven = driverOf(`
    createServer((request, response) => setTimeout(() => response.end('{}'), 1_200)).listen(Number(TCK_PORT), '127.0.0.1')`)
  expect(await driven.driver.start((await prepare(driven)).id, 'ready')).toBe(true)
})

test.each([
  ['is silent', ''],
  [
    'sends a head without an end',
    `socket.write('HTTP/1.1 200 OK\\r\\nX: '); setInterval(() => socket.write('x'), 100)`,
  ],
])('a server that accepts connections and %s takes only as long as a start may take', async (_, then) => {
  const program = `const { createServer: listen } = await import('node:net')
    listen((socket) => { socket.on('error', () => undefined); ${then} }).listen(Number(TCK_PORT), '127.0.0.1')`
  const driven = driverOf(program, { readyMs: 2_500 })
  const { id } = await prepare(driven)
  const startedAt = performance.now()
  expect(await driven.driver.start(id, 'ready')).toBe(false)
  // One more request of a second shows that it never answers otherwise.
  expect(performance.now() - startedAt).toBeLessThan(4_900)
})

test('after a failed start the next servers have less time, until one answers', async () => {
  const driven = driverOf(
    `import { setTimeout as delay } from 'node:timers/promises'
     await delay(Number(JSON.parse(readFileSync(TCK_PARAMETERS, 'utf8')).Delay))
     answer({})`,
    { readyMs: 4_800 },
  )
  const start = async (ms: number) => {
    const { id } = await driven.driver.prepare({ ...settings, parameters: { Delay: String(ms) } })
    return driven.driver.start(id, 'ready')
  }
  expect(await start(0)).toBe(true)
  expect(await start(60_000)).toBe(false)
  expect(await start(2_000)).toBe(false)
  expect(await start(0)).toBe(true)
  expect(await start(2_000)).toBe(true)
})

test('the keys of the kit are not in the environment of a server', async () => {
  for (const name of ['TCK_API_KEY', 'TCK_AGAINST_API_KEY', 'TCK_PLATFORM_KEY', 'TCK_PLATFORM_SECRET'])
    vi.stubEnv(name, secret)
  vi.stubEnv('TCK_TEST_OF_EXEC', 'seen')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const driven = driverOf('answer(process.env)')
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  const environment = await responseOf(url)
  expect(environment).toMatchObject({ TCK_TEST_OF_EXEC: 'seen' })
  expect(JSON.stringify(environment)).not.toContain(secret)
})

/** Starts another server at this port. */
async function occupy(url: string): Promise<void> {
  const server = createServer((_, response) => response.end('{}')).listen(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
}

test('a server is not started on a port that another program uses', async () => {
  const driven = driverOf('answer({})')
  const { id, url } = await prepare(driven)
  await occupy(url)
  await expect(driven.driver.start(id, 'ready')).rejects.toMatchObject({
    name: 'PortTaken',
    message: expect.stringMatching(/^port \d+ is used by another program/),
  })
})

test.runIf(process.platform === 'linux').each([
  ['ends', 'throw error'],
  ['keeps running', 'setInterval(() => undefined, 1000)'],
])('a response of another program does not count for a server that finds its port taken and %s', async (_, then) => {
  // The port is taken after the kit checked it and before the server listens.
  const driven = driverOf(`
    const isTaken = () => fetch('http://127.0.0.1:' + TCK_PORT).then(() => true, () => false)
    console.log('started')
    while (!(await isTaken()));
    answer({}).on('error', (error) => { ${then} })`)
  const { id, url } = await prepare(driven)
  const failed = expect(driven.driver.start(id, 'ready')).rejects.toMatchObject({
    name: 'PortTaken',
    message: expect.stringContaining(`(process ${process.pid}, `),
  })
  await vi.waitFor(() => expect(driven.log()).toContain('started'))
  await occupy(url)
  await failed
})

test('for a silent server the exit code, the processes, the ports and the last lines are known', async () => {
  const ended = driverOf('console.log("one"); console.log("no licence"); process.exit(3)')
  const first = await prepare(ended)
  expect(await ended.driver.start(first.id, 'ready')).toBe(false)
  expect(await ended.driver.explain(first.id)).toMatchObject({
    ended: { code: 3, signal: null },
    processes: [],
    lastLines: ['one', 'no licence'],
  })
  const elsewhere = driverOf('createServer().listen(0, "127.0.0.1", () => console.log("ready"))', { readyMs: 1_000 })
  const second = await prepare(elsewhere)
  expect(await elsewhere.driver.start(second.id, 'ready')).toBe(false)
  const isLinux = process.platform === 'linux'
  expect(await elsewhere.driver.explain(second.id)).toMatchObject({
    ended: null,
    processes: isLinux ? [{ name: expect.any(String) }] : [],
    listening: isLinux ? [{ address: '127.0.0.1' }] : null,
    lastLines: ['ready'],
  })
})

test('the driver does not wait for a server that ends early', async () => {
  const driven = driverOf('console.log("no licence"); process.exit(3)', { readyMs: 60_000 })
  const { id } = await prepare(driven)
  expect(await driven.driver.start(id, 'ready')).toBe(false)
  await vi.waitFor(() => expect(driven.log()).toBe('no licence\n'))
})

test('a command that does not exist does not answer', async () => {
  const driven = driverOf('', { command: 'exec /no/such/program', readyMs: 60_000 })
  const { id } = await prepare(driven)
  expect(await driven.driver.start(id, 'ready')).toBe(false)
  await vi.waitFor(() => expect(driven.log()).toContain('/no/such/program'))
})

test('the driver waits only briefly for a server that may not listen, and can stop it', async () => {
  const driven = driverOf('setInterval(() => undefined, 1000)', { readyMs: 60_000 })
  const { id } = await prepare(driven)
  expect(await driven.driver.start(id, 'brief')).toBe(false)
  await driven.driver.stop(id)
})

test('if a server was slow to start, the brief wait is as long', async () => {
  const driven = driverOf('setTimeout(answer, 1000, {})')
  const first = await prepare(driven)
  expect(await driven.driver.start(first.id, 'ready')).toBe(true)
  const second = await prepare(driven)
  expect(await driven.driver.start(second.id, 'brief')).toBe(true)
})

test('a server is stopped with SIGTERM and has time to save', async () => {
  const driven = driverOf(`
    const file = TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat'
    const server = answer({ saved: existsSync(file) })
    process.once('SIGTERM', () => server.close(() => setTimeout(() => writeFileSync(file, ''), 100)))
    process.once('SIGTERM', () => server.closeAllConnections())
  `)
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  expect(await responseOf(url)).toEqual({ saved: false })
  await driven.driver.stop(id)
  expect(await driven.driver.hasRulesFile(id)).toBe(true)
  expect(await isSilent(url)).toBe(true)
  expect(await driven.driver.start(id, 'ready')).toBe(true)
  expect(await responseOf(url)).toEqual({ saved: true })
})

test('a server that ignores SIGTERM is killed after the grace time', async () => {
  const driven = driverOf('process.on("SIGTERM", () => console.log("no")); answer({})', { graceMs: 150 })
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  await driven.driver.stop(id)
  expect(await isSilent(url)).toBe(true)
  await vi.waitFor(() => expect(driven.log()).toBe('no\n'))
})

test('a crash gives a server no time to save', async () => {
  const driven = driverOf(`
    const file = TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat'
    answer({ saved: existsSync(file) })
    for (const name of ['SIGTERM', 'SIGINT', 'exit']) process.once(name, () => writeFileSync(file, ''))
  `)
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  await driven.driver.crash(id)
  expect(await isSilent(url)).toBe(true)
  expect(await driven.driver.hasRulesFile(id)).toBe(false)
  expect(await driven.driver.start(id, 'ready')).toBe(true)
  expect(await responseOf(url)).toEqual({ saved: false })
})

test('the whole process group is killed, including a server started by a shell', async () => {
  const direct = driverOf('answer({})')
  const [, file = ''] = /" "(.*)"$/.exec(direct.command) ?? []
  // The shell has another command to run, so it stays between the kit and the server.
  const driven = driverOf('', { command: `"${process.execPath}" "${file}"; echo over` })
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  expect(await isSilent(url)).toBe(false)
  await driven.driver.crash(id)
  await vi.waitFor(async () => expect(await isSilent(url)).toBe(true))
})

test.runIf(process.platform === 'linux')(
  'a server that left the process group of its command is ended too',
  async () => {
    const direct = driverOf('answer({})')
    const driven = driverOf('', { command: `setsid ${direct.command.replace('exec ', '')} >&- 2>&- &` })
    const { id, url } = await prepare(driven)
    expect(await driven.driver.start(id, 'ready')).toBe(false)
    // The shell ends before the server has begun.
    await vi.waitFor(async () => expect(await isSilent(url)).toBe(false))
    expect(await driven.driver.explain(id)).toMatchObject({
      ended: { code: 0 },
      processes: [{ pid: expect.any(Number) }],
    })
    await driven.driver.discard(id)
    await vi.waitFor(async () => expect(await isSilent(url)).toBe(true))
  },
)

test.runIf(process.platform === 'linux').each(['stop', 'crash'] as const)(
  'a %s also ends a server outside of the process group that holds the output of its command',
  async (end) => {
    const direct = driverOf('answer({})')
    const command = `setsid --wait ${direct.command.replace('exec ', '')}; true`
    const driven = driverOf('', { command, graceMs: 100 })
    const { id, url } = await prepare(driven)
    expect(await driven.driver.start(id, 'ready')).toBe(true)
    await driven.driver[end](id)
    expect(await isSilent(url)).toBe(true)
  },
)

test.runIf(process.platform === 'linux')(
  'a server outside of the process group is stopped with SIGTERM too',
  async () => {
    const saving = driverOf(`
    process.once('SIGTERM', () => setTimeout(() => {
      writeFileSync(TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat', '')
      process.exit()
    }, 100))
    answer({})`)
    const driven = driverOf('', { command: `setsid --wait ${saving.command.replace('exec ', '')}; true` })
    const { id } = await prepare(driven)
    expect(await driven.driver.start(id, 'ready')).toBe(true)
    await driven.driver.stop(id)
    expect(await driven.driver.hasRulesFile(id)).toBe(true)
  },
)

test.runIf(process.platform === 'linux')(
  'a server outside of the process group gets only the SIGTERM that a process of the group forwards',
  async () => {
    const saving = driverOf(`
    process.once('SIGTERM', () => {
      process.once('SIGTERM', () => process.exit(1))
      setTimeout(() => {
        writeFileSync(TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat', '')
        process.exit()
      }, 1200)
    })
    answer({})`)
    const command = `setsid ${saving.command.replace('exec ', '')} & pid=$!; trap 'kill -TERM $pid; wait $pid' TERM; wait $pid`
    const driven = driverOf('', { command })
    const { id } = await prepare(driven)
    expect(await driven.driver.start(id, 'ready')).toBe(true)
    await driven.driver.stop(id)
    expect(await driven.driver.hasRulesFile(id)).toBe(true)
  },
)

test.runIf(process.platform === 'linux')(
  'the driver does not wait for processes that it cannot find, and removes their folder',
  async () => {
    // The process ends when its output is closed.
    const direct = driverOf(`process.stdout.on('error', process.exit)
      setInterval(() => console.log(process.env.PARAMETERS), 50)`)
    const found = `env -i PARAMETERS=$TCK_PARAMETERS ${direct.command.replace('exec ', '')}`
    const driven = driverOf('', { command: `setsid --wait ${found}; true` })
    const { id } = await prepare(driven)
    await driven.driver.start(id, 'brief')
    const file = await vi.waitFor(() => {
      const [line = ''] = driven.log().split('\n')
      return line
    })
    expect(readFileSync(file, 'utf8')).toContain(secret)
    await expect(driven.driver.discard(id)).rejects.toMatchObject({ name: 'DriverFailed', hint: expect.any(String) })
    expect(() => readFileSync(file)).toThrow(/ENOENT/)
  },
)

test('settings apply at the next start, and the folder survives restarts', async () => {
  const driven = driverOf(`answer({
    key: JSON.parse(readFileSync(TCK_PARAMETERS, 'utf8')).API_Key,
    file: existsSync(TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat'),
  })`)
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  await driven.driver.configure(id, { ...settings, parameters: { API_Key: 'another' } })
  expect(await responseOf(url)).toEqual({ key: secret, file: false })
  await driven.driver.writeRulesFile(id, 'x')
  await driven.driver.stop(id)
  await driven.driver.start(id, 'ready')
  expect(await responseOf(url)).toEqual({ key: 'another', file: true })
  await driven.driver.deleteRulesFile(id)
  expect(await driven.driver.hasRulesFile(id)).toBe(false)
})

test('the output of a server is logged by lines without the key, even if the key is split between two chunks', async () => {
  const [head, tail] = [secret.slice(0, 9), secret.slice(9)]
  const driven = driverOf(`
    process.stdout.write('the key is ${head}', () => setTimeout(() => process.stdout.write('${tail}!\\n', () => answer({})), 50))
    process.stderr.write('${secret}')
  `)
  const { id } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  await driven.driver.stop(id)
  await vi.waitFor(() =>
    expect(driven.log().split('\n').toSorted()).toEqual(['', '[redacted]', 'the key is [redacted]!']),
  )
})

test('a discarded server is ended and its folder removed', async () => {
  const driven = driverOf('answer({ file: TCK_PARAMETERS })')
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  const { file } = await responseOf(url)
  expect(readFileSync(String(file), 'utf8')).toContain(secret)
  await driven.driver.discard(id)
  expect(await isSilent(url)).toBe(true)
  expect(() => readFileSync(String(file))).toThrow(/ENOENT/)
  await expect(driven.driver.start(id, 'ready')).rejects.toMatchObject({ name: 'DriverFailed' })
})

test.each(['cd / && ', 'TCK_TEST=1 ', ''])(
  'with a shell in between (%j…) a stop waits until the server has saved',
  async (before) => {
    const driven = driverOf('')
    const slow = driverOf(
      `process.once('SIGTERM', () => setTimeout(() => {
       writeFileSync(TCK_DATA_DIR + '/ServiceCopyTrade_rules.dat', 'x')
       process.exit()
     }, 300))
     answer({})`,
    )
    const { driver } = driverOf('', { command: `${before}${slow.command.replace('exec ', '')}` })
    const { id } = await prepare({ ...driven, driver })
    expect(await driver.start(id, 'ready')).toBe(true)
    await driver.stop(id)
    expect(await driver.hasRulesFile(id)).toBe(true)
  },
)

test('with a shell in between a server that ignores SIGTERM is killed after the grace time', async () => {
  const stubborn = driverOf(`process.on('SIGTERM', () => undefined); answer({})`)
  const driven = driverOf('', { command: `cd / && ${stubborn.command.replace('exec ', '')}`, graceMs: 100 })
  const { id, url } = await prepare(driven)
  await driven.driver.start(id, 'ready')
  await driven.driver.stop(id)
  expect(await isSilent(url)).toBe(true)
})
