import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { emptyFolder } from './command.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error']

test('the package, installed into an empty folder, judges the simulator and can be imported', async () => {
  const folder = emptyFolder()
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  })
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  expect(packed?.files.map(({ path }) => path).filter((path) => /\.test|testing\//.test(path))).toEqual([])
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', ...quiet, join(folder, packed?.filename ?? '')], { cwd: folder })

  const judged = await run('npx', ['copytrade-tck', 'run', '--out', 'here'], { cwd: folder })
  expect(judged.stdout).toMatch(/conformant .*requirements hold/)

  const script = `
    import { createSimulator } from 'copytrade-tck'
    import { createPlatformSimulator } from 'copytrade-tck/platform'
    import { pluginRequirements } from 'copytrade-tck/spec'
    import schema from 'copytrade-tck/report.schema.json' with { type: 'json' }
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

test('the package is well-formed', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true })
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
})
