import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { expect, type TestContext } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { createSimulator } from '../../simulator/index.ts'
import { createPlatformSimulator } from '../../simulator/platform/index.ts'
import { emptyFolder } from '../command.ts'
import { selfSigned } from '../self-signed.ts'
import { startSupervised, supervisedKey } from '../supervised-server.ts'
import { type Block, blocksOf, commandsOf, outputsOf, readPage, root, shellBlocks } from './pages.ts'

const require = createRequire(import.meta.url)

/** Commands that cannot run here, with the reason and the test that covers them. */
export const notRun: readonly { readonly command: RegExp; readonly reason: string; readonly coveredBy: string }[] = [
  { command: /^npm ci$/, reason: 'It replaces the packages that the tests use.', coveredBy: '.ci/run' },
  { command: /^npm (pack|install)/, reason: 'It needs a registry.', coveredBy: 'test/ci/package.test.ts' },
  { command: /--container /, reason: 'It needs an engine.', coveredBy: 'test/ci/containers/driver.test.ts' },
  { command: /^docker /, reason: 'It needs an engine.', coveredBy: 'test/ci/containers/container.test.ts' },
  { command: /--complete/, reason: 'A complete run takes too long.', coveredBy: 'test/ci/foreign-servers.test.ts' },
  { command: /^npm run attack/, reason: 'It takes minutes.', coveredBy: 'test/ci/attack.test.ts' },
  { command: / restore$/, reason: 'It needs an interrupted run.', coveredBy: 'test/safety.test.ts' },
]

/** What a page needs, by the text that mentions it: each value replaces the text in the commands. */
const needs: readonly {
  readonly mention: string
  readonly provide: (folder: string, onEnd: OnEnd) => Promise<readonly [string, string][]>
}[] = [
  { mention: 'CI pipeline', provide: baseline },
  { mention: '/srv/trade', provide: serviceWithHooks },
  { mention: 'http://trade.example:8443', provide: runningServer },
  { mention: 'https://trade.example:8443/some/prefix', provide: secureServer },
  { mention: 'https://api.example.com', provide: platform },
  { mention: 'node server.js', provide: serverAtAnotherAddress },
  { mention: 'http://tokyo-1.example:8443', provide: fleet },
]

type OnEnd = TestContext['onTestFinished']

/** Ports in the documents, which may be in use here. */
const ports = ['8443', '8444', '8480']

/** Runs the commands of a page and checks their output. */
export async function runPage(path: string, onTestFinished: OnEnd): Promise<void> {
  const page = readPage(path)
  const folder = temporaryFolder(onTestFinished)
  let substitutions: readonly (readonly [string, string])[] = []
  for (const { mention, provide } of needs) {
    if (page.includes(mention)) substitutions = [...substitutions, ...(await provide(folder, onTestFinished))]
  }
  for (const port of ports) substitutions = [...substitutions, [port, String(await freePort())]]
  const exported: string[] = []
  for (const block of shellBlocks(page)) {
    const run = commandsOf(block).filter((command) => !notRun.some((one) => one.command.test(command)))
    const commands = run.map((command) =>
      substitutions.reduce((text, [from, to]) => text.replaceAll(from, to), command),
    )
    const results = await execute([...exported, ...commands], folder, block.language === 'sh')
    exported.push(...commands.filter((command) => /^(export|alias) /.test(command)))
    judge(`${path}:${block.line}`, block, results.slice(-commands.length))
  }
}

interface Result {
  readonly command: string
  readonly code: number
  readonly output: string
}

/** Commands of `sh` blocks succeed. Those of `console` blocks print what the block shows. */
function judge(place: string, block: Block, results: readonly Result[]): void {
  if (block.language === 'console') {
    for (const [index, shown] of outputsOf(block).entries()) {
      const { command, output } = results[index] ?? { command: 'none', output: '' }
      expect(output.trim(), `${place}: ${command}`).toMatch(patternOf(shown))
    }
    return
  }
  for (const { command, code, output } of results) expect(code, `${place}: ${command}\n${output}`).toBe(0)
}

/** In the documents `…` stands for any text. */
function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`)
}

/** Runs commands in one shell. The separator cannot occur in their output. */
function execute(commands: readonly string[], folder: string, isShort: boolean): Promise<readonly Result[]> {
  const script = commands.flatMap((command) => [
    `(exit "\${code:-0}"); ${command}`,
    'code=$?',
    `printf '\\036%s\\036' "$code"`,
  ])
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    SHORT: isShort ? '1' : '',
  }
  return new Promise((resolve) => {
    const shell = ['shopt -s expand_aliases', 'exec 2>&1', ...script].join('\n')
    execFile('bash', ['-c', shell], { cwd: folder, env, maxBuffer: 2 ** 26 }, (_, stdout) => {
      const printed = stdout.split('\x1e')
      resolve(
        commands.map((command, index) => ({
          command,
          output: printed[2 * index] ?? '',
          code: Number(printed[2 * index + 1] ?? -1),
        })),
      )
    })
  })
}

/**
 * A folder with everything that the commands need. `npx` starts the compiled command, or autocannon. Runs in `sh`
 * blocks, whose output no document shows, are limited to a few checks. `simulate` continues in the background until the
 * next `simulate`, as in a second terminal.
 */
function temporaryFolder(onEnd: OnEnd): string {
  const folder = emptyFolder(onEnd)
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(root, 'fixtures'), join(folder, 'fixtures'))
  const main = join(root, 'dist/cli/main.js')
  const autocannon = require.resolve('autocannon')
  const end =
    'if [ -e simulator.pid ]; then kill "$(cat simulator.pid)"; until [ -e simulator.ended ]; do sleep 0.02; done; fi'
  const npx = `#!/bin/sh
case "$1" in
  autocannon) shift; exec "${process.execPath}" "${autocannon}" "$@" ;;
  copytrade-tck) shift ;;
  *) exit 127 ;;
esac
case "$SHORT $*" in
  1*--only*) ;;
  '1 run '*|'1 probe '*) set -- "$@" --only 'plugin.status.*' --only 'platform.account.*' --only 'plugin.auth.before-path' ;;
  '1 parity '*) set -- "$@" --runs 1 ;;
  *' simulate '*)
    ${end}
    rm -f simulator.ended
    { "${process.execPath}" "${main}" "$@" & echo $! >simulator.pid; wait; touch simulator.ended; } >simulator.log 2>&1 &
    until grep -q '"serving"' simulator.log; do [ ! -e simulator.ended ] || { cat simulator.log; exit 1; }; sleep 0.02; done
    exit 0 ;;
esac
exec "${process.execPath}" "${main}" "$@"
`
  const server = `#!/bin/sh\nexec "${process.execPath}" "${root}fixtures/servers/plain.mjs"\n`
  for (const [name, text] of [
    ['bin/npx', npx],
    ['my-plugin-server', server],
  ] as const) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  onEnd(async () => void (await execute([end], folder, false)))
  return folder
}

/** A server with existing rules and a service manager. */
async function serviceWithHooks(folder: string, onEnd: OnEnd): Promise<[string, string][]> {
  const server = await startSupervised(onEnd)
  cpSync(server.before, join(folder, 'now.json'))
  writeFileSync(join(folder, 'bin/systemctl'), `#!/bin/sh\n${server.commandOf('start').replace(/start$/, '"$1"')}\n`)
  chmodSync(join(folder, 'bin/systemctl'), 0o755)
  return [
    ['http://trade.example:8443', server.url],
    ['your-key', supervisedKey],
    ['/srv/trade', dirname(server.parametersFile)],
  ]
}

async function runningServer(_: string, onEnd: OnEnd): Promise<[string, string][]> {
  const simulator = createSimulator({ port: 0, apiKey: supervisedKey })
  await simulator.start()
  onEnd(() => simulator[Symbol.asyncDispose]())
  return [
    ['http://trade.example:8443', simulator.url],
    ['your-key', supervisedKey],
  ]
}

async function secureServer(folder: string, onEnd: OnEnd): Promise<[string, string][]> {
  const { key, cert } = selfSigned()
  writeFileSync(join(folder, 'authorities.pem'), cert)
  const simulator = createSimulator({ apiKey: supervisedKey })
  const handle = simulator.callback()
  const server = createServer({ key, cert }, (request, response) => {
    request.url = request.url?.replace('/some/prefix', '')
    void handle(request, response)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await simulator[Symbol.asyncDispose]()
  })
  return [['https://trade.example:8443', `https://127.0.0.1:${port}`]]
}

async function baseline(folder: string): Promise<[string, string][]> {
  writeFileSync(join(folder, 'known-failures.yaml'), 'schema: copytrade-tck/baseline@2\nknownFailures: []\n')
  return []
}

/** Listens on a port where the kit does not look for it. */
async function serverAtAnotherAddress(folder: string): Promise<[string, string][]> {
  const listen = "listen(process.env.TCK_PORT, '::1', () => console.log('listening at localhost'))"
  writeFileSync(join(folder, 'server.js'), `require('node:http').createServer().${listen}\n`)
  return []
}

/** The servers of docs/fleet.md: one is faulty, one becomes faulty when the first roll-up is written, one is down. */
async function fleet(folder: string, onEnd: OnEnd): Promise<[string, string][]> {
  const yesterday = join(folder, 'yesterday/fleet.json')
  const faulty: Record<string, () => boolean> = { 'london-2': () => true, 'paris-1': () => existsSync(yesterday) }
  const [example] = blocksOf(readPage('docs/fleet.md')).filter(({ language }) => language === 'yaml')
  let targets = example?.text ?? ''
  for (const [address, name = ''] of targets.matchAll(/http:\/\/(.*)\.example:8443/g)) {
    const simulator = createSimulator({
      port: 0,
      apiKey: supervisedKey,
      override: () => ({
        finish: (answer) => (faulty[name]?.() && answer.status === 200 ? { ...answer, status: 202 } : answer),
      }),
    })
    await simulator.start()
    targets = targets.replace(address, simulator.url)
    if (name === 'tokyo-1') await simulator.stop()
    onEnd(() => simulator[Symbol.asyncDispose]())
  }
  writeFileSync(join(folder, 'targets.yaml'), targets)
  return [['your-key', supervisedKey]]
}

async function platform(_: string, onEnd: OnEnd): Promise<[string, string][]> {
  const keyPair = { apiKey: 'bk_test_documents', apiSecret: `bs_${'s'.repeat(64)}` }
  const simulator = createPlatformSimulator({ keyPair })
  await simulator.start()
  onEnd(() => simulator.stop())
  return [
    ['https://api.example.com', simulator.url],
    ['your-platform-key', keyPair.apiKey],
    ['your-platform-secret', keyPair.apiSecret],
  ]
}
