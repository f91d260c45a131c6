import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createProgram } from '../cli/program.ts'
import { actionInputs, actionSteps, fileOf, root, runScript } from './ci-steps.ts'
import { emptyFolder } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'

// test/ci/ci.test.ts runs the jobs of all engines.

const files = ['action.yml', ...readdirSync(join(root, 'examples/ci')).map((name) => `examples/ci/${name}`)]
const isYaml = (name: string) => /\.ya?ml$/.test(name)

test.each(files)('%s uses only existing options of the kit, and no key on a command line', (file) => {
  const text = fileOf(file)
  const { commands } = createProgram()
  const lines = text.matchAll(/(?:npx copytrade-tck|main\.js"?) (\w+) (.*)/g)
  for (const [, name = '', rest = ''] of lines) {
    const known = commands.find((one) => one.name() === name)?.options.map(({ long }) => long)
    expect(known).toEqual(expect.arrayContaining(rest.match(/--[a-z-]+/g) ?? []))
  }
  expect(text).not.toMatch(/--(api-key|platform-key|platform-secret)\b/)
})

test.each(files.filter(isYaml))('%s uses no expression in the text of a script', (file) => {
  const scripts = scriptsIn(parseAllDocuments(fileOf(file)).map((document) => document.toJS()))
  expect(scripts.filter((script) => /\$\{\{|\$\[\[/.test(script))).toEqual([])
})

/** The scripts of jobs and steps. */
function scriptsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'run' || key === 'script' ? [value].flat() : scriptsIn(value),
  )
}

/** Runs the action after its installation, with the variables that GitHub sets. */
async function act(given: Readonly<Record<string, string>>, cwd = emptyFolder()) {
  const [output, summary] = [join(cwd, 'output'), join(cwd, 'summary')]
  const github = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary }
  const [, judge] = actionSteps(given)
  const ended = await runScript(judge.run ?? '', { cwd, env: { ...github, GITHUB_ACTION_PATH: root, ...judge.env } })
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  return { ...ended, cwd, output: textOf(output), summary: textOf(summary) }
}

test('the action judges a server, and its step has the outputs, the summary and the exit code of the run', async () => {
  const { url } = await startLiveServer(0, {
    override: () => ({ finish: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer) }),
  })
  const given = { target: url, 'api-key': liveKey, risk: 'read', args: '--only plugin.status.ok\n--seed 1 --strict' }
  const { code, cwd, output, summary, stdout, stderr } = await act(given)
  expect(code, stdout + stderr).toBe(1)
  const [, verdict, , report = ''] = /^verdict=(.*)\nreport<<(.*)\n(.*)\n\2\n$/.exec(output) ?? []
  expect(verdict).toBe('non-conformant')
  expect(existsSync(join(cwd, report))).toBe(true)
  expect(summary).toMatch(/^# Compatibility: non-conformant$/m)
  expect(stdout).toMatch(/^::error title=CT-201/m)
  expect(stdout + stderr + summary + output).not.toContain(liveKey)
})

test.each(['$(touch ran)', '`touch ran`', '; touch ran #', '"; touch ran; "'])(
  'an input of the action is not run as a command: %s',
  async (hostile) => {
    expect(actionInputs).toHaveLength(7)
    const { code, cwd, output } = await act(Object.fromEntries(actionInputs.map((name) => [name, hostile])))
    expect(code).toBe(2)
    expect(output).toBe('')
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  },
)

test.each([{}, { args: '--strict --only plugin.target.x' }, { 'api-key': liveKey, target: '', exec: '' }])(
  'the action without a server ends with 2, and judges no simulator: %j',
  async (given) => {
    const { code, cwd, stdout } = await act(given)
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^::error .*`target` or `exec`.*\n$/) })
    expect(readdirSync(cwd)).not.toContain('tck-report')
  },
)

test.each([
  '--target http://127.0.0.1:9',
  '--target=http://127.0.0.1:9',
  '--strict\n--platform-url http://127.0.0.1:9',
])('the action takes the server from its further options: %j', async (args) => {
  const { code, stdout, stderr } = await act({ args, 'api-key': liveKey })
  expect(`${code} ${stdout}${stderr}`).toMatch(/^[24] (?![\s\S]*title=No server)/)
})

test.each(['tck.config.yaml', 'other.yaml', 'other.json'])(
  'the action takes the server from the configuration file %s',
  async (name) => {
    const cwd = emptyFolder()
    writeFileSync(
      join(cwd, name),
      name.endsWith('.json') ? '{ "target": "http://127.0.0.1:9" }' : 'target: http://127.0.0.1:9\n',
    )
    const args = { 'other.yaml': `--config ${name}`, 'other.json': `--config=${name}` }[name] ?? '--strict'
    const { code, stdout, stderr } = await act({ args, 'api-key': liveKey }, cwd)
    expect(code, stdout + stderr).toBe(4)
  },
)

test('a configuration file without a server does not name one', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'tck.config.yaml'), '# target: http://127.0.0.1:9\nonly: CT-201\n')
  expect(await act({}, cwd)).toMatchObject({ code: 2 })
})
