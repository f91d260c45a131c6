import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { Fleet } from '../../cli/fleet-document.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { actionSteps, fileOf, filled, root, runScript, type Step } from '../ci-steps.ts'
import { type Ended, emptyFolder } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'

const run = promisify(execFile)
const documentsOf = (path: string) => parseAllDocuments(fileOf(path)).map((document) => document.toJS())

test('every file is valid against the published schema of its engine', { timeout: 300_000 }, async () => {
  const folder = emptyFolder()
  const env = { ...process.env, PYTHONPATH: join(folder, 'packages') }
  // These packages contain the schemas of SchemaStore and of Kubernetes.
  const packages = ['check-jsonschema==0.39.0', 'kubernetes-validate==1.37.0']
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', env.PYTHONPATH]
  await run('python3', [...pip, ...packages])
  // GitLab reads the header of a template and its jobs as two documents.
  const template = documentsOf('examples/ci/gitlab.yml').map((document, index) => {
    const path = join(folder, `gitlab-${index}.json`)
    writeFileSync(path, JSON.stringify(document))
    return path
  })
  const files = {
    'github-actions': ['action.yml'],
    'github-workflows': ['examples/ci/github.yml', 'examples/ci/fleet-github.yml'],
    'gitlab-ci': ['examples/ci/fleet-gitlab.yml', ...template],
  }
  for (const [schema, paths] of Object.entries(files)) {
    const options = ['-m', 'check_jsonschema', '--builtin-schema', `vendor.${schema}`]
    const { stdout } = await run('python3', [...options, ...paths], { cwd: root, env })
    expect(stdout).toContain('ok')
  }
  const manifest = join(root, 'examples/ci/fleet-kubernetes.yaml')
  const { stdout } = await run('python3', ['-m', 'kubernetes_validate', '--strict', manifest], { env })
  expect(stdout.match(/ passed for resource /g)).toHaveLength(3)
})

test('the action installs itself from its repository', { timeout: 300_000 }, async () => {
  const folder = emptyFolder()
  const left = /^(\.git|node_modules|dist.*|tck-.*|reports\/html\/page\.js)$/
  cpSync(root, folder, { recursive: true, filter: (path) => !left.test(relative(root, path)) })
  const [install] = actionSteps()
  const env = { ...process.env, GITHUB_ACTION_PATH: folder, NODE_ENV: 'production' }
  await run('bash', ['-eo', 'pipefail', '-c', install.run ?? ''], { cwd: emptyFolder(), env })
  const { stdout } = await run(process.execPath, [join(folder, 'dist/cli/main.js'), '--version'])
  expect(stdout.trim()).toBe(parse(fileOf('package.json')).version)
})

/** A folder with a baseline, like a repository that uses the kit. */
function repository(): string {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'known-failures.yaml'), 'schema: copytrade-tck/baseline@2\nknownFailures: []\n')
  return cwd
}

const ofOne: Readonly<Record<string, (url: string, cwd: string) => Promise<Ended>>> = {
  'github.yml': (url, cwd) => {
    const workflow = parse(fileOf('examples/ci/github.yml'))
    const uses = (workflow.jobs.compatibility.steps as Step[]).find(({ id }) => id === 'tck')
    const given = filled(uses?.with, { 'vars.TCK_TARGET': url, 'secrets.TCK_API_KEY': liveKey })
    const [, judge] = actionSteps(given)
    return runScript(judge.run ?? '', { cwd, env: { GITHUB_ACTION_PATH: root, ...judge.env } })
  },
  'gitlab.yml': (url, cwd) => {
    const [{ spec }, { compatibility }] = documentsOf('examples/ci/gitlab.yml')
    const given: Record<string, string> = { target: url, baseline: 'known-failures.yaml' }
    const inputOf = (name: string) => given[name] ?? spec.inputs[name].default
    const variables = Object.entries<string>(compatibility.variables).map(
      ([name, text]) => [name, text.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, input) => inputOf(input))] as const,
    )
    const env = { ...Object.fromEntries(variables), TCK_API_KEY: liveKey }
    return runScript(compatibility.script.join('\n'), { cwd, env })
  },
  Jenkinsfile: (url, cwd) => {
    const steps = [...fileOf('examples/ci/Jenkinsfile').matchAll(/^ *sh '(.*)'$/gm)].map(([, step]) => step)
    return runScript(steps.join('\n'), { cwd, env: { TCK_TARGET: url, TCK_API_KEY: liveKey } })
  },
}

test.each(Object.keys(ofOne))('the job of %s judges a server', async (name) => {
  const cwd = repository()
  const { url } = await startLiveServer(2)
  const ended = await ofOne[name]?.(url, cwd)
  expect(ended, JSON.stringify(ended)).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'tck-report/junit.xml'))).toBe(true)
  expect(`${ended?.stdout}${ended?.stderr}`).not.toContain(liveKey)
})

const names = ['london-1', 'london-2', 'paris-1', 'tokyo-1']
const keys = Object.fromEntries(names.map((name) => [`${name.toUpperCase().replace('-', '_')}_KEY`, `key-of-${name}`]))
let targets: string
const started: Simulator[] = []
afterAll(() => Promise.all(started.map((simulator) => simulator[Symbol.asyncDispose]())))

/** Four servers, one of them faulty. */
beforeAll(async () => {
  const entries = await Promise.all(
    Object.entries(keys).map(async ([keyVariable, apiKey], place) => {
      const simulator = createSimulator({
        ...{ port: 0, apiKey },
        override: () => ({ finish: (answer) => (place === 1 ? { ...answer, status: 202 } : answer) }),
      })
      await simulator.start()
      started.push(simulator)
      return `  - { name: ${names[place]}, target: "${simulator.url}", keyVariable: ${keyVariable} }\n`
    }),
  )
  targets = `defaults: { only: plugin.status.ok }\ntargets:\n${entries.join('')}`
})

/** A separate machine for each job. */
function machine(parts: readonly string[] = []): string {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'targets.yaml'), targets)
  for (const part of parts) cpSync(join(part, 'parts'), join(cwd, 'parts'), { recursive: true })
  return cwd
}

interface Judged {
  readonly parts: readonly Ended[]
  readonly merged: Ended
  /** The folder of the merged roll-up. */
  readonly out: string
}

async function onMachines(
  count: number,
  judge: (place: number, cwd: string) => Promise<Ended>,
  merge: (cwd: string) => Promise<Ended>,
): Promise<Judged> {
  const machines = Array.from({ length: count }, () => machine())
  const parts = await Promise.all(machines.map((cwd, place) => judge(place, cwd)))
  const last = machine(machines)
  return { parts, merged: await merge(last), out: join(last, 'fleet') }
}

const ofFleet: Readonly<Record<string, () => Promise<Judged>>> = {
  'fleet-github.yml': () => {
    const { judge, merge } = parse(fileOf('examples/ci/fleet-github.yml')).jobs
    const { part } = judge.strategy.matrix as { part: readonly number[] }
    const secrets = Object.fromEntries(Object.entries(keys).map(([name, key]) => [`secrets.${name}`, key]))
    const inJob = (steps: readonly Step[], cwd: string, given: Record<string, string> = {}) => {
      const own = steps.filter((step) => step.run !== undefined)
      const env = Object.assign({}, ...own.map((step) => filled(step.env, { ...secrets, ...given })))
      return runScript(own.map((step) => step.run).join('\n'), { cwd, env })
    }
    return onMachines(
      part.length,
      (place, cwd) =>
        inJob(judge.steps, cwd, { 'matrix.part': String(part[place]), 'strategy.job-total': String(part.length) }),
      (cwd) => inJob(merge.steps, cwd),
    )
  },
  'fleet-gitlab.yml': () => {
    const { fleet, merge } = parse(fileOf('examples/ci/fleet-gitlab.yml'))
    return onMachines(
      fleet.parallel,
      (place, cwd) => {
        const env = { ...keys, CI_NODE_INDEX: String(place + 1), CI_NODE_TOTAL: String(fleet.parallel) }
        return runScript(fleet.script.join('\n'), { cwd, env })
      },
      (cwd) => runScript(merge.script.join('\n'), { cwd, env: {} }),
    )
  },
  'fleet-kubernetes.yaml': async () => {
    const [, fleet, merge] = documentsOf('examples/ci/fleet-kubernetes.yaml')
    const cwd = machine()
    mkdirSync(join(cwd, 'results'))
    const inPod = (job: typeof fleet, given: Record<string, string>) => {
      const [{ command, args, env }] = job.spec.template.spec.containers
      expect(command).toEqual(['sh', '-c'])
      const script = args[0].replaceAll('/app/', root).replaceAll('/results', join(cwd, 'results'))
      const own = env.map((one: { name: string; value: string }) => [one.name, one.value])
      return runScript(script, { cwd, shell: 'sh', env: { ...Object.fromEntries(own), ...given } })
    }
    // Waits for the parts, which start later.
    const merging = inPod(merge, {})
    const indexes = Array.from({ length: fleet.spec.completions }, (_, index) => String(index))
    const parts = await Promise.all(
      indexes.map((JOB_COMPLETION_INDEX) => inPod(fleet, { ...keys, JOB_COMPLETION_INDEX })),
    )
    return { parts, merged: await merging, out: join(cwd, 'results/run-1/merged') }
  },
}

test.each(Object.keys(ofFleet))('the parts of %s are judged and merged', async (name) => {
  const judged = await ofFleet[name]?.()
  expect(judged?.parts.map(({ code }) => code).toSorted()).toEqual([0, 0, 1])
  expect(judged?.merged, judged?.merged.stderr).toMatchObject({ code: 1 })
  const fleet = JSON.parse(readFileSync(join(judged?.out ?? '', 'fleet.json'), 'utf8')) as Fleet
  expect(fleet.missingShards).toEqual([])
  expect(Object.fromEntries(fleet.installs.map((install) => [install.name, install.exitCode]))).toEqual({
    ...{ 'london-1': 0, 'london-2': 1, 'paris-1': 0, 'tokyo-1': 0 },
  })
  for (const install of fleet.installs) {
    expect(existsSync(join(judged?.out ?? '', install.folder, 'report.html'))).toBe(true)
  }
})
