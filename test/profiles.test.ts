import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Arbitrary,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  sample,
  string,
  stringMatching,
} from 'fast-check'
import { expect, test } from 'vitest'
import { type DetectedAnswers, detectAnswers, type ProbeEvidence } from '../cli/probe/detect-answers.ts'
import { profileText } from '../cli/probe/profile-text.ts'
import { syntaxWithSemicolons } from '../cli/target/plugin/self-test.ts'
import { seed, testSize } from '../fixtures/test-size.ts'
import { type Profile, type ProfileDocument, type ProfileOptions, parseProfile } from '../simulator/index.ts'
import { type ErrorKind, pluginErrorKinds } from '../spec/plugin/error-kinds.ts'
import { pluginQuestions } from '../spec/plugin/questions.ts'
import { pluginProbes } from '../suites/checks/plugin/all.ts'
import { ownServerCapabilities } from '../suites/session/check.ts'
import { createEmbeddedDriver } from '../suites/targets/embedded.ts'
import { command, emptyFolder } from './command.ts'
import { judgeServer } from './judge-server.ts'
import { liveKey, startLiveServer } from './live-server.ts'

/** Shows what was chosen at random in this run; another run with it chooses the same. */
const profileCount = testSize(3, 200)

const nasty = [
  '',
  'null',
  '~',
  '0',
  'no',
  ': ',
  '# x',
  '{field} is {allow}',
  '"',
  "'",
  ' x ',
  '\n',
  '\t',
  '\u0001',
  '- a',
]
const anyText: Arbitrary<string> = oneof(constantFrom(...nasty), string({ unit: 'grapheme', maxLength: 20 }))
const reason = stringMatching(/^[A-Z][a-z ]{1,12}[a-z]$/)
const statuses = ['200', '201', '400', '401', '404', '405', '500']

function each<Value>(
  keys: readonly string[],
  value: (key: string) => Arbitrary<Value>,
): Arbitrary<Record<string, Value>> {
  return record(Object.fromEntries(keys.map((key) => [key, value(key)])))
}

/** Any profile without unknown answers. */
const anyProfile: Arbitrary<ProfileOptions> = record({
  profile: record(
    Object.fromEntries(pluginQuestions.map(({ id, answers }) => [id, constantFrom(...Object.keys(answers))])),
  ) as Arbitrary<Profile>,
  capacity: integer({ min: 6, max: 20 }),
  plugin: record({ name: anyText, version: anyText, licenseActive: boolean() }),
  headers: record({
    'Content-Type': constantFrom('application/json', 'application/json;charset=UTF-8', 'Application/JSON; a=b'),
    'WWW-Authenticate': constantFrom('Bearer', 'Bearer realm="plugin: x"'),
  }),
  reasonPhrases: each(statuses, () => reason),
  errorTexts: each(
    pluginErrorKinds.map(({ id }) => id),
    () => anyText,
  ),
})

/** The profile as `probe` would write it if it knew everything. */
function write(options: ProfileOptions): string {
  const known = <Value>(values: object) =>
    new Map(Object.entries(values).map(([id, value]) => [id, { known: value as Value }]))
  return profileText({
    url: 'http://127.0.0.1:1',
    plugin: options.plugin as DetectedAnswers['plugin'],
    capacity: { known: options.capacity ?? 0 },
    answers: known(options.profile),
    headers: options.headers ?? {},
    reasonPhrases: options.reasonPhrases ?? {},
    errorTexts: known(options.errorTexts ?? {}) as DetectedAnswers['errorTexts'],
  })
}

/** The parts of a profile that can be observed from outside; error texts that never occur cannot. */
function visible({ profile, headers = {}, errorTexts = {}, ...rest }: ProfileOptions): object {
  const answers: Record<string, string> = { ...profile }
  // The text that is not valid UTF-8 is sent in an unknown member, so a server may reject it for that.
  if (answers['plugin.body.unknown-member'] === 'refused') delete answers['plugin.body.invalid-utf-8']
  const occurring = new Set<string>(
    pluginErrorKinds
      .filter(({ when }: ErrorKind) => when === undefined || when.answers.includes(answers[when.question] ?? ''))
      .map(({ id }) => id),
  )
  const challenge = answers['plugin.auth.challenge'] === 'sent' ? headers : { 'Content-Type': headers['Content-Type'] }
  const texts = Object.fromEntries(Object.entries(errorTexts).filter(([id]) => occurring.has(id)))
  return { ...rest, profile: answers, headers: challenge, errorTexts: texts }
}

async function probe({ options }: ProfileDocument): Promise<ProfileDocument> {
  const outcomes = await judgeServer({
    driver: createEmbeddedDriver(options),
    capabilities: [...ownServerCapabilities, 'capacity'],
    capacity: null,
    // Only a run with the other syntax can observe what a start loads.
    ...(options.profile?.['plugin.start.copy-syntax'] === 'other' ? { copySyntax: syntaxWithSemicolons } : {}),
    ...{ checks: pluginProbes, seed: 7 },
  })
  const plugin = options.plugin as ProbeEvidence['plugin']
  return parseProfile(profileText(detectAnswers({ url: 'http://127.0.0.1:1', plugin, outcomes, statedCapacity: null })))
}

test(
  `a twin is exact: probing a simulator with any profile yields the same profile (TCK_SEED=${seed})`,
  async () => {
    const holds = asyncProperty(anyProfile, async (profile) => {
      const document = parseProfile(write(profile))
      expect(document.options).toEqual(profile)
      expect((await probe(document)).options).toEqual(visible(profile))
    })
    await assert(holds, { seed, numRuns: profileCount })
  },
  60_000 + profileCount * 10_000,
)

/** Without the questions that need many restarts. */
const fast = ['--seed', '1', '--skip', 'plugin.start.*', '--skip', 'plugin.disabled.wire']

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

test('the same through the commands: probe --exec of simulate --profile', async () => {
  const [profile] = sample(anyProfile, { seed, numRuns: 1 })
  if (profile === undefined) throw new Error('no profile was made')
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'p.yaml'), write(profile))
  const server = `"${process.execPath}" "${main}" simulate --profile "${join(cwd, 'p.yaml')}"`
  const { code, stdout, stderr } = await command(['probe', '--exec', server, '--out', 'made/q.yaml', ...fast], {
    cwd,
  })
  expect(code, stdout + stderr).toBe(0)
  const found = parseProfile(readFileSync(join(cwd, 'made/q.yaml'), 'utf8'))
  const { profile: answers, ...rest } = visible(profile) as ProfileOptions
  const asked = Object.entries(answers).filter(([question]) => !/^plugin\.(start|disabled)\./.test(question))
  expect(found.options).toEqual({ ...rest, profile: Object.fromEntries(asked) })
})

test('on a live server a probe only reads, unless more is allowed, and lists what it does not know', async () => {
  const server = await startLiveServer(5, {
    profile: { 'plugin.index.base': '1' },
    errorTexts: { unauthorized: `no: ${liveKey}` },
  })
  const env = { TCK_API_KEY: liveKey }
  const cwd = emptyFolder()
  const { code, stdout } = await command(['probe', '--target', server.url], { env, cwd })
  expect(code).toBe(0)
  expect(stdout).toContain(`${pluginQuestions.length} questions: `)
  expect(stdout).toMatch(/questions: 1\d answered, \d+ unknown\n {2}it needs --risk write: plugin\.auth\.before-method/)
  expect(server.methods.filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([])
  const text = readFileSync(join(cwd, 'profile.yaml'), 'utf8')
  expect(text).toMatch(/# {3}1: one-based: the first rule has index 1\n {4}plugin\.index\.base: "1"/)
  expect(text).toMatch(/# Not known: it needs --risk write\n {4}plugin\.add\.position: not-known/)
  expect(text).toContain('unauthorized: "no: [redacted]"')
  expect(text).not.toContain(liveKey)
  expect(text).toMatch(/# Not known: .*use `--exec` or `--container`\)\n {4}plugin\.disabled\.wire: not-known/)
  const asked = server.methods.length
  const again = () => command(['probe', '--target', server.url, '--only', 'plugin.index.base'], { env, cwd })
  expect(await again()).toMatchObject({ code: 2, stderr: expect.stringContaining('`--force`') })
  expect(server.methods.length).toBe(asked)
  expect(readFileSync(join(cwd, 'profile.yaml'), 'utf8')).toBe(text)
})

test('nothing is sent if the profile cannot be written', async () => {
  const server = await startLiveServer(2)
  const asked = server.methods.length
  const args = ['probe', '--target', server.url, '--only', 'plugin.index.base', '--force', '--out', '.']
  const { code, stderr } = await command(args, { env: { TCK_API_KEY: liveKey }, cwd: emptyFolder() })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('`--out` cannot be written: EISDIR') })
  expect(server.methods.length).toBe(asked)
})

test('it reads the configuration file of run, and uses its own options from it', async () => {
  const server = await startLiveServer(2)
  const cwd = emptyFolder()
  const config = `target: ${server.url}\nbaseline: none.yaml\nout: other\nonly: [plugin.index.base]\nstrict: true\n`
  writeFileSync(join(cwd, 'tck.config.yaml'), config)
  const { code, stdout, stderr } = await command(['probe'], { env: { TCK_API_KEY: liveKey }, cwd })
  expect(stdout + stderr).toContain(
    `${pluginQuestions.length} questions: 1 answered, ${pluginQuestions.length - 1} unknown`,
  )
  expect(stdout).toContain('Profile: profile.yaml')
  expect(code).toBe(0)
  writeFileSync(join(cwd, 'tck.config.yaml'), 'targt: x\n')
  expect((await command(['probe'], { cwd })).stderr).toContain(
    'tck.config.yaml:1: unknown member `targt`. Did you mean `target`?',
  )
})

test('with --risk write it leaves foreign rules unchanged', async () => {
  const server = await startLiveServer(5, { profile: { 'plugin.add.position': 'start' } })
  const before = server.rules()
  const env = { TCK_API_KEY: liveKey }
  const cwd = emptyFolder()
  const { code, stdout } = await command(
    ['probe', '--target', server.url, '--risk', 'write', '--only', 'plugin.add.*'],
    { env, cwd },
  )
  expect(stdout).toContain('0 of 5 rules changed')
  expect(stdout).toMatch(/It sends about \d+ writes, /)
  expect(code).toBe(0)
  expect(server.rules()).toEqual(before)
  expect(readFileSync(join(cwd, 'profile.yaml'), 'utf8')).toContain('plugin.add.position: start')
})

test('run --profile reports a different answer as drift, which counts only with --strict', async () => {
  const server = await startLiveServer(2)
  const env = { TCK_API_KEY: liveKey }
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'p.yaml'),
    'plugin:\n  answers:\n    plugin.index.base: 1\n    plugin.method.head: allowed\n    plugin.path.case: not-known\n',
  )
  const only = ['--only', 'plugin.index.base', '--only', 'plugin.method.head', '--only', 'plugin.list.*']
  const run = ['run', '--target', server.url, '--profile', 'p.yaml', ...only]
  const loose = await command(run, { env, cwd })
  expect(loose.stdout).toMatch(/^Drift from the profile\n {2}.+ plugin\.index\.base \(profile 1, observed 0, /m)
  expect(loose.code).toBe(0)
  const { drift } = JSON.parse(readFileSync(join(cwd, 'tck-report/report.json'), 'utf8')) as { drift: unknown }
  expect(drift).toMatchObject({
    agreeing: 1,
    unanswered: [],
    findings: [{ question: 'plugin.index.base', answer: '0' }],
  })
  expect((await command([...run, '--strict'], { env, cwd })).code).toBe(1)
})

test('an invalid profile: exit 2, before anything is sent', async () => {
  const server = await startLiveServer(2)
  const asked = server.methods.length
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'p.yaml'), 'plugin:\n  answers:\n    plugin.index.base: 2\n')
  const run = ['run', '--target', server.url, '--profile', 'p.yaml']
  const { code, stderr } = await command(run, { env: { TCK_API_KEY: liveKey }, cwd })
  expect(stderr).toContain('p.yaml:3: `plugin.answers["plugin.index.base"]` must be one of `0`, `1`, `not-known`.')
  expect(code).toBe(2)
  expect(server.methods.length).toBe(asked)
})
