import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { emptyFolder } from '../command.ts'
import { newerNode } from '../newer-node.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error']

let tarball: string
let packedPaths: readonly string[]
const folderOfTarball = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))

beforeAll(async () => {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folderOfTarball]
  const { stdout } = await run('npm', args, { cwd: root })
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  tarball = join(folderOfTarball, packed?.filename ?? '')
  packedPaths = packed?.files.map(({ path }) => path) ?? []
})
afterAll(() => rmSync(folderOfTarball, { recursive: true, force: true }))

test('the package, installed into an empty folder, judges the simulator and can be imported', async () => {
  const folder = emptyFolder()
  expect(packedPaths.filter((path) => /\.test|testing\//.test(path))).toEqual([])
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', ...quiet, tarball], { cwd: folder })

  expect(installedPackages(join(folder, 'node_modules')).length).toBeLessThan(70)

  // Other tests may be using the default port.
  const args = ['copytrade-tck', 'run', '--out', 'here', '--skip', 'plugin.limits.default-port']
  const judged = await run('npx', args, { cwd: folder })
  expect(judged.stdout).toMatch(/partial No failure in (\d+) of/)
  const tested = await run('npx', ['copytrade-tck', 'selftest', '--only', 'plugin.auth.bearer', '--profiles', '1'], {
    cwd: folder,
  })
  expect(tested.stdout).toContain('all laws hold')

  const script = `
    import { createSimulator } from 'copytrade-tck'
    import { createPlatformSimulator } from 'copytrade-tck/platform'
    import { pluginRequirements } from 'copytrade-tck/spec'
    import { accessSync } from 'node:fs'
    import schema from 'copytrade-tck/report.schema.json' with { type: 'json' }
    for (const entry of ['vitest', 'nock', 'testcontainers']) accessSync(new URL(import.meta.resolve('copytrade-tck/' + entry)))
    const simulator = createSimulator({ port: 0, apiKey: 'k' })
    await simulator.start()
    const { status } = await fetch(simulator.url + '/api/rules', { headers: { 'X-API-Key': 'k', Connection: 'close' } })
    await simulator[Symbol.asyncDispose]()
    const platform = createPlatformSimulator()
    await platform.start()
    const { apiKey } = await platform.keys.create()
    const headers = { Authorization: 'Bearer ' + apiKey, Connection: 'close' }
    const account = await fetch(platform.url + '/v1/account', { headers })
    await platform.stop()
    console.log(status, account.status, pluginRequirements.length > 0, schema.type)`
  const imported = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
  expect(imported.stdout.trim()).toBe('200 200 true object')
})

test.for([
  { vitest: 4, node: null },
  { vitest: 5, node: '24' },
])('the example project, installed as its README says, passes its tests with Vitest $vitest', async (versions) => {
  const folder = emptyFolder()
  cpSync(join(root, 'examples/vitest'), folder, { recursive: true })
  cpSync(tarball, join(folder, 'copytrade-tck.tgz'))
  await run('npm', ['install', ...quiet, `vitest@${versions.vitest}`], { cwd: folder })
  const node = versions.node === null ? process.execPath : await newerNode(versions.node)
  // Without the variables of this Vitest, which must not affect the other one.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const env = { ...own, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }
  const { stdout } = await run('npm', ['test'], { cwd: folder, env })
  expect(stdout).toMatch(/Test Files +2 passed/)
})

test('the package is well-formed', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true })
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
})

test('the types of each entry resolve for users of ES modules', { timeout: 120_000 }, async () => {
  // Plain files, such as a schema, have no types.
  const [files, entries] = [true, false].map((isFile) =>
    Object.keys(manifest.exports).filter((entry) => /\.json$|\*$/.test(entry) === isFile),
  )
  const options = ['--profile', 'esm-only', '--no-color', '--exclude-entrypoints', ...(files ?? [])]
  // It fails if something does not resolve.
  const attw = ['--yes', '--prefer-offline', '@arethetypeswrong/cli@0.18.5', tarball, ...options]
  const { stdout } = await run('npx', attw, { cwd: emptyFolder() })
  expect(stdout.match(/node16 \(from ESM\): 🟢/g)).toHaveLength(entries?.length ?? 0)
})

test('the published types import only dependencies, so that they resolve where the package is installed', () => {
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const imported = importedBy(
    Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : join(root, entry.types))),
  )
  const packages = imported.filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
  expect(packages.length).toBeGreaterThan(0)
  const missing = packages.filter((specifier) => !installed.some((name) => `${specifier}/`.startsWith(`${name}/`)))
  expect(missing).toEqual([])
})

/** What these declarations import, directly or indirectly. */
function importedBy(files: readonly string[], seen = new Set<string>()): readonly string[] {
  return files
    .filter((file) => !seen.has(file))
    .flatMap((file) => {
      seen.add(file)
      const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)].flatMap(
        ([, specifier]) => specifier ?? [],
      )
      const own = specifiers.filter((specifier) => specifier.startsWith('.'))
      const next = own.map((specifier) => join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')))
      return [...specifiers, ...importedBy(next, seen)]
    })
}

function installedPackages(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return []
    return name.startsWith('@') ? installedPackages(join(folder, name)) : [name]
  })
}
