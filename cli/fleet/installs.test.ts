import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Shard } from '../fleet-document.ts'
import type { Environment } from '../transport/proxy.ts'
import { readInstalls } from './installs.ts'

async function read(text: string, env: Environment, shard: Shard | null) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-fleet-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'targets.yaml')
  writeFileSync(path, text)
  return readInstalls(path, shard, env)
}

async function installsOf(text: string, env: Environment, shard: Shard | null = null) {
  return (await read(text, env, shard)).installs
}

test('an entry has its own options, the defaults, and only its own key', async () => {
  const text = `defaults: { risk: write, maxFill: 7 }
targets:
  - { name: a, target: "http://127.0.0.1:1", keyVariable: KEY_A, maxFill: 9, hookRestart: restart-a }
  - { name: b, exec: ./server }
`
  const env = { KEY_A: 'key-a', KEY_B: 'key-b', TCK_API_KEY: 'another', PATH: '/bin' }
  const [a, b] = await installsOf(
    text.replace('exec: ./server', 'target: "http://127.0.0.1:2", keyVariable: KEY_B'),
    env,
  )
  expect(a?.options).toMatchObject({ risk: 'write', maxFill: 9, lifeCycle: { hooks: { restart: 'restart-a' } } })
  expect(a?.config).toEqual({ risk: 'write', maxFill: '9', target: 'http://127.0.0.1:1', hookRestart: 'restart-a' })
  expect(a?.env).toEqual({ TCK_API_KEY: 'key-a', PATH: '/bin' })
  expect(b?.env).toEqual({ TCK_API_KEY: 'key-b', PATH: '/bin' })
  expect(b?.options.maxFill).toBe(7)
})

test('an option of an entry overrides the defaults that exclude it, unless it is false', async () => {
  const text = (options: string) => `defaults: { maxAccounts: 7 }
targets:
  - { name: a, platformUrl: "http://127.0.0.1:1", platformKeyVariable: K, group: demo, risk: write, ${options} }
`
  const platformOf = async (options: string) => {
    const [install] = await installsOf(text(options), { K: 'k' })
    return install?.options.platform
  }
  expect(await platformOf('disposablePlatform: false')).toMatchObject({ maxAccounts: 7 })
  expect(await platformOf('disposablePlatform: true')).not.toMatchObject({ maxAccounts: 7 })
})

test('a path that only ends with the letters of /api is that of another server', async () => {
  const [a, b] = ['http://127.0.0.1:1/my', 'http://127.0.0.1:1/myapi'].map((url) => `target: "${url}", keyVariable: K`)
  const installs = await installsOf(`targets:\n  - { name: a, ${a} }\n  - { name: b, ${b} }\n`, { K: 'k' })
  expect(installs.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a part of the fleet does not need the keys of the other parts', async () => {
  const text = `targets:
  - { name: b, target: "http://127.0.0.1:1", keyVariable: KEY_B }
  - { name: a, target: "http://127.0.0.1:2", keyVariable: KEY_A }
`
  const installs = await installsOf(text, { KEY_A: 'a' }, { index: 1, count: 2 })
  expect(installs.map(({ name }) => name)).toEqual(['a'])
})

test('a part has a hash of all names in the file, whatever their order', async () => {
  const entry = (name: string) => `  - { name: ${name}, exec: x }\n`
  const hashOf = async (...names: readonly string[]) => {
    const { shard } = await read(`targets:\n${names.map(entry).join('')}`, {}, { index: 1, count: 2 })
    return shard?.targets
  }
  expect(await hashOf('a', 'b')).toMatch(/^[0-9a-f]{12}$/)
  expect(await hashOf('b', 'a')).toBe(await hashOf('a', 'b'))
  expect(await hashOf('a', 'b', 'c')).not.toBe(await hashOf('a', 'b'))
})

const entry = (more: string) => `targets:\n  - { name: a, ${more} }\n`
const local = 'target: "http://127.0.0.1:1"'

test.for([
  {
    what: 'a target that two entries share',
    targets: `${entry('target: "http://localhost:1/api", keyVariable: K')}  - { name: b, ${local}, keyVariable: K }\n`,
    says: /targets\.yaml:3: the target http:\/\/127\.0\.0\.1:1 is that of \S+:2 too\./,
  },
  {
    what: 'a platform that two entries share',
    targets: `${entry('platformUrl: "https://p.example/v1/", platformKeyVariable: K')}  - { name: b, platformUrl: "https://p.example", platformKeyVariable: K }\n`,
    says: /targets\.yaml:3: the target https:\/\/p\.example is that of \S+:2 too\./,
  },
  {
    what: 'a name that two entries share',
    targets: `${entry('exec: x')}  - { name: A, exec: x }\n`,
    says: /:3: the name a is that of/,
  },
  { what: 'a key that is not set', targets: entry(`${local}, keyVariable: NONE`), says: /NONE is not set/ },
  {
    what: 'a target without a key of its own',
    targets: entry(local),
    says: /:2: `target` requires the key of its server\. Give `keyVariable`/,
  },
  {
    what: 'a key in the file',
    targets: entry('exec: x, apiKey: secret'),
    says: /`apiKey` is not allowed in this file/,
  },
  { what: 'no server', targets: entry('risk: read'), says: /The entry names no server/ },
  { what: 'an option of the fleet', targets: entry('exec: x, out: b'), says: /unknown member `out`/ },
  { what: 'a baseline that cannot be read', targets: entry('exec: x, baseline: none.yaml'), says: /:2: .*none\.yaml/ },
  { what: 'no check', targets: entry('exec: x, only: nothing'), says: /:2: No check matches/ },
  { what: 'a name that leaves the folder', targets: 'targets:\n  - { name: ../a, exec: x }\n', says: /`name` must/ },
  {
    what: 'the name of a file of the roll-up',
    targets: 'targets:\n  - { name: fleet.json, exec: x }\n',
    says: /`name` must .* not end in `\.json`/,
  },
  {
    what: 'a name that is too long for a folder',
    targets: `targets:\n  - { name: ${'a'.repeat(101)}, exec: x }\n`,
    says: /`name` must consist of 1 to 100 /,
  },
  { what: 'an empty list', targets: 'targets: []\n', says: /targets\.yaml:1: `targets`/ },
  { what: 'another shape', targets: '- name: a\n', says: /targets\.yaml:1: / },
])('a file with $what is rejected', async ({ targets, says }) => {
  const env = { K: 'a-key', TCK_API_KEY: 'of-the-shell' }
  await expect(installsOf(targets, env)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(says),
  })
})
