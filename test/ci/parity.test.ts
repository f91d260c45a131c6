import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constantFrom, record, sample } from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ComparisonResult,
  compareAll,
  compareServers,
  scopeOf,
  startTwin,
} from '../../cli/parity/compare-servers.ts'
import { isProof, seed, someOf, testSize } from '../../fixtures/test-size.ts'
import { createSimulator, type Override, type Profile, type SimulatorOptions } from '../../simulator/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import type { Question } from '../../spec/question.ts'
import { directTransport } from '../../suites/client/transport.ts'
import { unguardedSettings } from '../../suites/runner/plugin/settings.ts'
import { describePlace } from '../../suites/twin/compare.ts'
import { allSteps, type ComparisonStep } from '../../suites/twin/steps.ts'
import { command, emptyFolder } from '../command.ts'
import { foreignRules, liveKey } from '../live-server.ts'
import { startSupervised, supervisedKey } from '../supervised-server.ts'
import { unobservableQuestions } from '../unobservable-questions.ts'

/** Random sequences against two equal simulators. */
const runs = testSize(8, 500)

const capacity = 12
const key = 'a-key-for-tests-7'
const rules = [
  { index: 0, master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' },
  { index: 1, master: 1002, follower: 2002, mode: 'fixed', value: 0.01, direction: 'reverse' },
]

const settings = unguardedSettings(
  {
    kind: 'simulator',
    url: '',
    transport: directTransport,
    key,
    server: 'of-the-test',
    capabilities: ['stated-capacity'],
    capacity,
  },
  seed,
)

interface Settings {
  readonly profile?: Partial<Profile>
  readonly override?: Override
}

async function startServer({ profile = {}, override }: Settings) {
  const more = override === undefined ? {} : { override }
  return startTwin({ settings, profile: { profile }, plugin: {}, rules, capacity, ...more })
}

/** Compares two simulators. */
async function compared(
  one: Settings,
  other: Settings,
  { steps = allSteps, runs = 0 }: { readonly steps?: readonly ComparisonStep[]; readonly runs?: number } = {},
): Promise<ComparisonResult> {
  await using target = await startServer(one)
  await using twin = await startServer(other)
  const signal = new AbortController().signal
  const bounds = { before: rules, capacity, runs, maxRequests: 1e6, signal }
  return await compareServers({ target, twin, scope: scopeOf(null), steps, ...bounds })
}

const questions: readonly Question[] = pluginQuestions
const unseen = new Map<string, string>(unobservableQuestions.map(({ question, reason }) => [question, reason]))
const seenAnswers = questions
  .filter(({ id }) => !unseen.has(id))
  .flatMap(({ id, answers, default: byDefault }) =>
    Object.keys(answers)
      .filter((answer) => answer !== byDefault)
      .map((answer) => ({ question: id, answer, byDefault })),
  )

describe('one response that differs', () => {
  test('is covered by a step, or by the list of what cannot be observed with the reason', () => {
    const shown = new Set(allSteps.flatMap(({ question }) => question ?? []))
    expect(questions.filter(({ id }) => shown.has(id as never) === unseen.has(id)).map(({ id }) => id)).toEqual([])
  })

  test.for(seenAnswers)('is found and named: $question: $answer', async ({ question, answer, byDefault }) => {
    const steps = allSteps.filter((step) => step.question === question)
    const { divergence, name } = await compared({ profile: { [question]: answer } }, {}, { steps })
    expect(divergence?.sent.length).toBeGreaterThan(0)
    expect(name).toMatchObject({ kind: 'question', question: { id: question }, target: answer, twin: byDefault })
  })

  test('is not observed if the list says so, whatever is sent', async () => {
    for (const place of isProof ? [1, 2, 3, 4, 5] : [1]) {
      const others = questions
        .filter(({ id }) => unseen.has(id))
        .map(({ id, answers }) => [id, Object.keys(answers).at(place) ?? Object.keys(answers).at(-1)])
      const { divergence } = await compared({ profile: Object.fromEntries(others) }, {})
      expect(divergence).toBeNull()
    }
  })
})

test('every difference is found one after the other', async () => {
  const answers = { 'plugin.method.head': '405', 'plugin.path.trailing-slash': 'ignored' } as const
  await using target = await startServer({ profile: answers })
  await using twin = await startServer({})
  const steps = allSteps.filter(({ question }) => question !== undefined && question in answers)
  const signal = new AbortController().signal
  const bounds = { before: rules, capacity, runs: 0, maxRequests: 1e6, signal }
  const all = await compareAll({ target, twin, scope: scopeOf(null), steps, ...bounds }, true)
  const named = all.flatMap(({ name }) => (name?.kind === 'question' ? [name.question.id] : []))
  expect(named.toSorted()).toEqual(Object.keys(answers))
})

test('a twin with a profile reports no name, version or licence that only the target has', async () => {
  const identity = { name: 'Acme', version: '2', licenseActive: false }
  const more = { settings, plugin: identity, rules, capacity }
  await using target = await startTwin({ ...more, profile: null })
  await using twin = await startTwin({ ...more, profile: { profile: {}, plugin: { version: '2' } } })
  const steps = allSteps.filter(({ id }) => id === 'status')
  const bounds = { before: rules, capacity, runs: 0, maxRequests: 100, signal: new AbortController().signal }
  const { divergence } = await compareServers({ target, twin, scope: scopeOf(null), steps, ...bounds })
  expect(divergence?.differences.map(({ place }) => describePlace(place))).toEqual([
    'body at /plugin',
    'body at /license_active',
  ])
})

test('the restart of the twin for another sequence does not count as an unrequested change', async () => {
  await using twin = await startServer({})
  const { context, reset } = twin
  await context.main.plugin.add(context.draft())
  await context.main.plugin.list()
  await reset()
  await context.main.plugin.list()
  expect(context.seen()).toMatchObject({ unrequestedChange: null })
})

test(`two equal simulators do not differ, whatever their answers (TCK_SEED=${seed})`, async () => {
  const anyProfile = record(
    Object.fromEntries(pluginQuestions.map(({ id, answers }) => [id, constantFrom(...Object.keys(answers))])),
  )
  for (const profile of [{}, ...sample(anyProfile, { seed, numRuns: isProof ? 5 : 1 })] as Partial<Profile>[]) {
    const { divergence, sequences, wording } = await compared({ profile }, { profile }, { runs })
    expect(divergence).toBeNull()
    expect(wording).toEqual([])
    expect(sequences).toBe(allSteps.length + runs)
  }
})

/** Without the body of 2 MiB. */
const smallSteps = allSteps.filter(({ id }) => id !== 'add.large')

/** Some of each clause; the requirements catch the others in the same way. */
const sampled = [
  'status.license-as-number',
  'list.limited-to-seven',
  'list.total-never-decreases',
  'rule.logins-as-string',
  'rule.reverse-only-with-fixed',
  'add.returned-index-is-total',
  'add.value-zero-accepted',
  'add.unlisted-mode-is-mult',
  'delete.moves-last-into-gap',
  'delete.removes-the-next',
  'key.status-needs-no-key',
  'key.delete-needs-no-key',
  'method.put-adds',
  'method.allow-missing',
  'capacity.rejected-but-stored',
  'error.404-of-index-is-empty',
]

function overrideOf(id: string): { readonly override: Override; readonly breaks: readonly string[] } {
  const defect = pluginDefects.find((one) => one.id === id)
  if (defect === undefined) throw new Error(`there is no defect ${id}`)
  return defect
}

describe('a defect', () => {
  test.for(someOf(sampled, 2))(
    `${'%s'} is found, and named by the requirement that it breaks (TCK_SEED=${seed})`,
    async (id) => {
      const { override, breaks } = overrideOf(id)
      const { name } = await compared({ override }, {}, { steps: smallSteps })
      expect(name).toMatchObject({ kind: 'requirement', deviates: 'target' })
      expect(breaks).toContain((name as { id: string }).id)
    },
  )

  test('of the twin is reported as a deviation of the twin', async () => {
    const { override } = overrideOf('delete.moves-last-into-gap')
    const { name } = await compared({}, { override }, { steps: smallSteps })
    expect(name).toMatchObject({ kind: 'requirement', id: 'plugin.delete.keeps-order', deviates: 'twin' })
  })
})

test('a difference without a question or a requirement is an unlisted question', async () => {
  const override: Override = ({ addedBody }) => ({
    addedBody: (rule, index) => ({ ...(addedBody(rule, index) as object), note: 'more than is asked for' }),
  })
  const { divergence, name } = await compared({ override }, {}, { steps: smallSteps })
  expect(divergence?.differences).toMatchObject([{ place: { part: 'body', pointer: '/note' }, twin: null }])
  expect(name).toEqual({ kind: 'unlisted' })
})

test('a member that only one server sends is not named by a requirement about other responses', async () => {
  const override: Override = (hooks) => ({
    statusBody: (facts) => ({ ...(hooks.statusBody(facts) as object), note: 'more than is asked for' }),
    ...overrideOf('error.sent-as-plain-text').override(hooks),
  })
  const { divergence, name } = await compared({ override }, {}, { steps: allSteps.filter(({ id }) => id === 'status') })
  expect(divergence?.differences).toMatchObject([{ place: { part: 'body', pointer: '/note' }, twin: null }])
  expect(name).toEqual({ kind: 'unlisted' })
})

describe('an error text', () => {
  const steps = allSteps.filter(({ id }) => id === 'unknown-path')
  const between = async (profile: Pick<SimulatorOptions, 'errorTexts'>) => {
    await using target = await startTwin({
      settings,
      profile: { profile: {}, errorTexts: { 'unknown-endpoint': 'nowhere' } },
      plugin: {},
      rules,
      capacity,
    })
    await using twin = await startTwin({ settings, profile: { profile: {}, ...profile }, plugin: {}, rules, capacity })
    const bounds = { before: rules, capacity, runs: 0, maxRequests: 100, signal: new AbortController().signal }
    return await compareServers({ target, twin, scope: scopeOf({ profile: {}, ...profile }), steps, ...bounds })
  }

  test('that the profile does not record is only wording', async () => {
    const { divergence, wording } = await between({})
    expect(divergence).toBeNull()
    expect(wording).toMatchObject([{ target: '"nowhere"', twin: '"Unknown endpoint."' }])
  })

  test('that the profile records is a divergence', async () => {
    const { divergence } = await between({ errorTexts: { 'unknown-endpoint': 'somewhere' } })
    expect(divergence?.differences).toMatchObject([
      { place: { part: 'body', pointer: '/error' }, target: '"nowhere"', twin: '"somewhere"' },
    ])
  })
})

/**
 * A server that forwards everything, but rejects a body of 1 MB with 413 before it has read it, and closes the
 * connection.
 */
async function rejectsEarly(port: number): Promise<string> {
  const body = '{"error":"The body is too large."}'
  const head = ['HTTP/1.1 413 Payload Too Large', 'Content-Type: application/json', 'Connection: close']
  const response = [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.on('data', (chunk) => {
      if (!/^content-length: \d{7}/im.test(String(chunk))) return void upstream.write(chunk)
      client.end(response, () => client.destroy())
    })
    upstream.pipe(client)
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => undefined).on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('copytrade-tck parity', () => {
  const env = { TCK_API_KEY: liveKey }

  /** A server with foreign rules. */
  async function startServer(count: number, options: SimulatorOptions = {}) {
    const server = createSimulator({ port: 0, parameters: { API_Key: liveKey, ...foreignRules(count) }, ...options })
    await server.start()
    onTestFinished(() => server.stop())
    return server
  }

  test('finds no difference between a live server and its twin, and leaves foreign rules unchanged', async () => {
    const server = await startServer(4)
    const before = server.rules
    const args = ['parity', '--target', server.url, '--risk', 'write', '--runs', '2', '--seed', '7']
    const { code, stdout } = await command(args, { env })
    expect(stdout).toMatch(/which has 4 rules\.\nIt sends at most 8000 writes/)
    const [, stated] =
      /^It sends (\d+) sequences to each server, and does not restart the target\.$/m.exec(stdout) ?? []
    expect(stdout).toContain(`no divergence (${stated} sequences, `)
    expect(stdout).toMatch(
      /no divergence \(\d+ sequences, \d+ requests to each server, seed 7\)\n\(0 of 4 rules changed\)/,
    )
    expect(code).toBe(0)
    expect(server.rules).toEqual(before)
  })

  test('prints the shortest sequence as curl commands, both responses, and what it is about: exit 1', async () => {
    const server = await startServer(2, { profile: { 'plugin.add.self-copy': 'refused' } })
    const before = server.rules
    const { code, stdout } = await command(['parity', '--target', server.url, '--risk', 'write', '--seed', '7'], {
      env,
    })
    expect(stdout).toMatch(/\(step add\.self-copy\):\n {2}curl -i -X POST .*"X-API-Key: \$TCK_API_KEY"/)
    expect(stdout).toMatch(/^ {2}status +400 Bad Request +201 Created$/m)
    expect(stdout).toMatch(
      /^divergence: question plugin\.add\.self-copy: target answers refused, the simulator answers accepted/m,
    )
    expect(stdout).not.toContain(liveKey)
    expect(code).toBe(1)
    expect(server.rules).toEqual(before)
  })

  test('a server that loses a foreign rule when one is added ends the comparison: exit 1, and the list is restored exactly', async () => {
    const overwritesLast: SimulatorOptions = {
      capacity: 4,
      override: ({ isFull, addRule }) => {
        let full = false
        return {
          isFull: (rules, most) => {
            full = isFull(rules, most)
            return false
          },
          addRule: (rules, rule) => addRule(full ? rules.slice(0, -1) : rules, rule),
        }
      },
    }
    const server = await startServer(4, overwritesLast)
    const before = server.rules
    const args = ['parity', '--target', server.url, '--risk', 'write', '--runs', '2', '--seed', '7']
    const { code, stdout, stderr } = await command(args, { env })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^Stopped: /m)
    expect(code).toBe(1)
    expect(server.rules).toEqual(before)
  })

  test('a server that rejects one read after a DELETE ends the comparison: exit 3, and the list is restored', async () => {
    const rejections = ['after a DELETE']
    let isRemoved = false
    const server = await startServer(2, {
      override: ({ finish }) => ({
        finish(response, request) {
          isRemoved ||= request.method === 'DELETE'
          const isRejected = isRemoved && `${request.method} ${request.url}` === 'GET /api/rules' && rejections.pop()
          return finish(isRejected ? { ...response, status: 429 } : response, request)
        },
      }),
    })
    const before = server.rules
    const args = ['parity', '--target', server.url, '--risk', 'write', '--runs', '2', '--seed', '7']
    const { code, stdout, stderr } = await command(args, { env })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^Stopped: .*429/m)
    expect(code).toBe(3)
    expect(server.rules).toEqual(before)
  })

  test.for([
    ['https', 'http'],
    ['http', 'https'],
  ])('takes `--insecure` for an %s server and an %s twin', async ([one, other]) => {
    const servers = ['--target', `${one}://127.0.0.1:8443`, '--against', `${other}://127.0.0.1:8444`]
    const { code, stderr } = await command(['parity', ...servers, '--insecure', '--plan'], { env })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('only reads a live server unless more is allowed, and stops at the maximum of requests: exit 3', async () => {
    const methods: string[] = []
    const log = (entry: object) => {
      if ('method' in entry) methods.push(String(entry.method))
    }
    const server = await startServer(2, { log })
    const { code, stdout } = await command(['parity', '--target', server.url, '--max-requests', '10'], { env })
    expect(stdout).toContain('no divergence so far, stopped early')
    expect(stdout).toContain('10 requests to each server')
    expect(code).toBe(3)
    expect(methods.length).toBeGreaterThan(10)
    expect(methods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([])
  })

  test('compares a server whose list cannot be read by reading only', async () => {
    const server = await startServer(0, {
      override: ({ finish }) => ({
        finish: (response, request) =>
          finish(request.url === '/api/rules' ? { ...response, status: 503 } : response, request),
      }),
    })
    const { code, stdout, stderr } = await command(['parity', '--target', server.url, '--risk', 'write'], { env })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/503 Service Unavailable +200 OK/)
    expect(code).toBe(1)
  })

  test('finds no difference between a server that shares no code with the kit and the twin from its probe, even if its error texts repeat the request', async () => {
    const cwd = emptyFolder()
    const server = fileURLToPath(new URL('../../fixtures/servers/variants.mjs', import.meta.url))
    const variant = { VARIANTS: 'error-text-with-request' }
    const exec = ['--exec', `"${process.execPath}" "${server}"`, '--seed', '7', '--risk', 'write']
    const probed = await command(
      ['probe', ...exec, '--out', 'p.yaml', '--skip', 'plugin.start.*', '--skip', 'plugin.disabled.*'],
      { cwd, env: variant },
    )
    expect(probed.code, probed.stderr).toBe(0)
    expect(readFileSync(join(cwd, 'p.yaml'), 'utf8')).toContain('unknown-endpoint: "{method} {path}: unknown endpoint"')
    const parity = ['parity', ...exec, '--profile', 'p.yaml', '--runs', '2']
    const added = await command(parity, { cwd, env: variant })
    expect(added.stdout).toContain("To ignore the members that the target adds: --ignore '/uptime_s'")
    expect(added.code).toBe(1)
    const { code, stdout } = await command([...parity, '--ignore', '/uptime_s'], { cwd, env: variant })
    const [, stated] = /(\d+) sequences to each server, and restarts the target up to \1 times, /.exec(stdout) ?? []
    expect(stdout).toContain(`no divergence (${stated} sequences, `)
    expect(code).toBe(0)
  })

  test('receives the response to a large body even if a server sends it before it has read the body', async () => {
    const profile = { 'plugin.body.size-limit': '413' } as const
    const [server, twin] = [await startServer(0, { profile }), await startServer(0, { profile })]
    const early = await rejectsEarly(server.port)
    const args = ['parity', '--target', early, '--against', twin.url, '--runs', '0', '--risk', 'write']
    const { code, stdout, stderr } = await command(args, { env })
    expect(stdout, stderr).toContain('no divergence (')
    expect(code).toBe(0)
  })

  test('compares two servers and leaves each as it was; with foreign rules it does not start', async () => {
    const server = await startServer(2)
    const parameters = { API_Key: 'another-key', ...foreignRules(2) }
    const other = await startServer(0, {
      parameters,
      profile: { 'plugin.path.case': 'insensitive' },
      errorTexts: { 'unknown-endpoint': 'not with another-key' },
    })
    const args = ['parity', '--target', server.url, '--against', other.url, '--against-api-key', 'another-key']
    const differing = await command(args, { env })
    expect(differing.stdout).toContain('divergence: question plugin.path.case: target answers sensitive')
    expect(differing.stdout).toContain('not with [redacted]')
    expect(differing.stdout).not.toContain('another-key')
    expect(differing.stdout).toMatch(/^The other server: \(0 of 2 rules changed\)\n\(0 of 2 rules changed\)$/m)
    expect(differing.code).toBe(1)
    await other.restart({ parameters: { API_Key: 'another-key' } })
    const { code, stderr } = await command(args, { env })
    expect(stderr).toContain('The servers have different rules')
    expect(code).toBe(2)
    const withoutKey = await command(args.slice(0, 5), { env })
    expect(withoutKey.stderr).toContain(
      `${other.url} rejects the key with 401.\n\`--against-api-key\` must give the value of the plugin parameter \`API_Key\`.`,
    )
  })

  test('runs no check on the target that the server at `--against` cannot run too', async () => {
    const target = await startSupervised()
    // Then the status of the two always differs, so its checks are asked. One of them would restart the target.
    const status = () => fetch(`${target.url}/api/status`, { headers: { 'X-API-Key': supervisedKey } })
    const uptime = async () => ((await (await status()).json()) as { uptime_s: number }).uptime_s
    await expect.poll(uptime, { timeout: 5_000 }).toBeGreaterThanOrEqual(1)
    const other = await startSupervised()
    const cwd = emptyFolder()
    const driven = join(cwd, 'driven')
    const hook = target.hook('restart', `echo "$TCK_TARGET" >>"${driven}" && ${target.commandOf('restart')}`)
    const servers = ['--target', target.url, '--against', other.url, '--parameters', target.before]
    const args = ['parity', ...servers, ...hook, '--risk', 'exclusive', '--runs', '0', '--yes']
    const { code, stdout, stderr } = await command(args, { cwd, env: { TCK_API_KEY: supervisedKey } })
    expect(stdout, stderr).toContain('divergence: an unlisted question')
    expect(code).toBe(1)
    expect(existsSync(driven)).toBe(false)
  })

  test.for([
    [['--against', 'http://127.0.0.1:8444'], '`--against` requires an API key.'],
    [['--against', 'none', '--against-api-key', 'k'], '`--against` is not a usable URL'],
    [
      ['--target', 'http://127.0.0.1:8443/', '--api-key', 'k', '--against', 'http://127.0.0.1:8443/api'],
      '`--target` and `--against` are the same server.',
    ],
  ] as const)('names the option of the other server in errors: %j', async ([args, error]) => {
    const { code, stderr } = await command(['parity', ...args])
    expect(stderr).toContain(error)
    expect(code).toBe(2)
  })

  test('only reads a server of `--against` unless more is allowed, also if the kit starts the target', async () => {
    const { stdout } = await command(['parity', '--against', 'http://127.0.0.1:8444', '--plan=json'], { env })
    const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly risk: string }[] }
    expect(new Set(steps.map(({ risk }) => risk))).toEqual(new Set(['read']))
  })
})
