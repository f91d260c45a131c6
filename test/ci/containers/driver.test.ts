import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProof } from '../../../fixtures/test-size.ts'
import type { Report } from '../../../reports/report.ts'
import { command, emptyFolder, type Running, start } from '../../command.ts'
import { noEngineReason } from './engine.ts'
import { buildImages, containersOf, type Images } from './images.ts'

const key = 'a-key-of-nobody'
const env = { TCK_API_KEY: key }
const only = (...ids: readonly string[]) => ids.flatMap((id) => ['--only', id])

/** A whole run takes over a minute. */
const chosen = isProof
  ? []
  : // Start-up, persistence, a crash, the folder, the ports, the disabled API.
    only('CT-601', 'CT-608', 'CT-630', 'CQ-108', 'CQ-507', 'plugin.status.api-port-is-own')

/** A start takes a while, so there is time to observe a run in the middle. */
const long = only('plugin.start.*', 'plugin.persist.*')

const reason = noEngineReason()

if (reason !== null) {
  test('an engine', ({ skip }) => {
    if (process.env.CI === 'true') throw new Error(reason)
    process.stderr.write(`\n${reason}\n`)
    skip(reason)
  })
}

function reportIn(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

describe.runIf(reason === null)('--container', () => {
  let images: Images

  beforeAll(async () => {
    images = await buildImages()
  }, 120_000)
  afterAll(() => images?.[Symbol.asyncDispose]())

  const judge = (name: Parameters<Images['of']>[0], ...args: readonly string[]) => [
    'run',
    ...['--container', images.of(name), ...args],
  ]

  /** Resolves when the run has started a second server and so waits for no other. */
  async function secondServerStarted({ child }: Running): Promise<void> {
    while ((await ownersOf('plain')).filter((owner) => owner === child.pid).length < 2) await delay(50)
  }

  async function ownersOf(name: Parameters<Images['of']>[0]): Promise<readonly number[]> {
    return (await containersOf(images.of(name))).map((owner) => Number.parseInt(owner, 10))
  }

  test('a conforming server passes as any user, its output is stored without the key, and no container is left', {
    timeout: 600_000,
  }, async () => {
    const folder = emptyFolder()
    const { code, stdout, stderr } = await command(judge('chatty', ...chosen), { env, cwd: folder })
    expect(code, stdout + stderr).toBe(0)
    const { target, requirements, observations, harm } = reportIn(folder)
    expect(target).toMatchObject({ kind: 'container', plugin: { name: 'Plain Copy' } })
    const judged = requirements.filter(({ status }) => /^(passed|partly-judged)$/.test(status)).map(({ id }) => id)
    expect(judged).toEqual(
      expect.arrayContaining(['plugin.persist.list', 'plugin.persist.survives-crash', 'plugin.status.api-port-is-own']),
    )
    expect(Object.fromEntries(observations.map(({ question, answer }) => [question, answer]))).toMatchObject({
      // The server refuses connections, but the engine does not.
      'plugin.disabled.wire': null,
      'plugin.start.file-corrupt': 'refuses-to-start',
    })
    expect(harm?.hashAfter).toBe(harm?.hashBefore)
    const log = readFileSync(join(folder, 'tck-report/server.log'), 'utf8')
    expect(log).toContain('"API_Key"')
    expect(log).not.toContain(key)
    expect(await ownersOf('chatty')).toEqual([])
  })

  test('a wrong server fails the requirements that it violates', async () => {
    const folder = emptyFolder()
    const ids = ['plugin.persist.survives-crash', 'plugin.start.file-wins', 'plugin.start.parameters']
    const { code } = await command(judge('faulty', ...only('CT-608', 'CT-622', 'CT-624')), { env, cwd: folder })
    expect(code).toBe(1)
    const judged = reportIn(folder).requirements.filter(({ id }) => ids.includes(id))
    expect(Object.fromEntries(judged.map(({ id, status }) => [id, status]))).toEqual({
      'plugin.persist.survives-crash': 'failed',
      'plugin.start.file-wins': 'failed',
      'plugin.start.parameters': 'partly-judged',
    })
    expect(await ownersOf('faulty')).toEqual([])
  })

  test('the next run removes the containers of a killed run; an interrupted one does so itself', async () => {
    const [killed, once, twice] = [0, 1, 2].map(() => start(judge('plain', ...long), { env })) as [
      Running,
      Running,
      Running,
    ]
    await Promise.all([killed, once, twice].map(secondServerStarted))
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(await ownersOf('plain')).toContain(killed.child.pid)
    const next = await command(judge('plain', ...only('plugin.status.ok')), { env })
    expect(next.code, next.stderr).toBe(0)
    expect(new Set(await ownersOf('plain'))).toEqual(new Set([once.child.pid, twice.child.pid]))
    twice.child.kill('SIGINT')
    await twice.printed(/Press Ctrl-C again to end at once/)
    twice.child.kill('SIGINT')
    expect((await twice.ended).code).toBe(130)
    while ((await ownersOf('plain')).includes(twice.child.pid ?? 0)) await delay(50)
    once.child.kill('SIGINT')
    expect((await once.ended).code).toBe(3)
    expect(await ownersOf('plain')).toEqual([])
  })

  test('an image that is missing, has no command, or ends at once: exit 4 with the reason', async () => {
    const folder = emptyFolder()
    const [none, idle, ended] = await Promise.all([
      command(['run', '--container', '127.0.0.1:1/no-such-image:1'], { env }),
      command(judge('idle'), { env }),
      command(judge('unlicensed'), { env, cwd: folder }),
    ])
    expect([none.code, none.stderr]).toEqual([
      4,
      expect.stringContaining('The image 127.0.0.1:1/no-such-image:1 does not exist'),
    ])
    expect([idle.code, idle.stderr]).toEqual([4, expect.stringMatching(/could be created: .*no command specified/i)])
    expect([ended.code, ended.stderr]).toEqual([
      4,
      expect.stringMatching(/ended with exit code 1 [\s\S]*\n {2}there is no licence\n/),
    ])
    expect(readFileSync(join(folder, 'tck-report/server.log'), 'utf8')).toMatch(/^(there is no licence\n)+$/)
    expect(await ownersOf('unlicensed')).toEqual([])
  })
})

test('if the named engine does not respond, no other one is used: exit 4', async () => {
  const { code, stderr } = await command(['run', '--container', 'x'], {
    env: { ...env, DOCKER_HOST: 'unix:///no/such/socket' },
  })
  expect([code, stderr]).toEqual([4, expect.stringContaining('DOCKER_HOST=unix:///no/such/socket')])
})

test('without Testcontainers it says how to install it: exit 2', async () => {
  const hide = `export const resolve = (name, context, next) => {
    if (name !== 'testcontainers') return next(name, context)
    throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
  const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  const setUp = `import { register } from 'node:module'; register(${JSON.stringify(url(hide))})`
  const { code, stderr } = await command(['run', '--container', 'x'], {
    env: { ...env, NODE_OPTIONS: `--import=${url(setUp)}` },
  })
  expect([code, stderr]).toEqual([2, expect.stringContaining('npm install --save-dev testcontainers@')])
})
