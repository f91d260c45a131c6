import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { describePluginConformance } from '../../cli/vitest/index.ts'
import { createSimulator } from '../../simulator/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'

// Run by vitest.test.ts in a separate Vitest, like a user's suite.

const apiKey = 'a-key-that-nobody-may-see'
const parameters = { API_Key: apiKey, Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same' }
const wrong = pluginDefects.find(({ id }) => id === 'delete.moves-last-into-gap')
if (wrong === undefined) throw new Error('the defect is gone')

const good = createSimulator({ port: 0, parameters })
const bad = createSimulator({ port: 0, parameters, override: wrong.override })
const gone = createSimulator({ port: 0, parameters })
const stopped = createSimulator({ port: 0, parameters })
const limited = createSimulator({ port: 0, parameters })
limited.control.faults.add({ when: { method: 'PUT' }, effect: { kind: 'answer', status: 429 } })

beforeAll(async () => {
  await good.start()
  await bad.start()
  await stopped.start()
  await limited.start()
})
afterAll(async () => {
  await good.stop()
  await bad.stop()
  await limited.stop()
})

const out = process.env.TEST_OUT ?? 'missing'
const common = { apiKey: async () => apiKey, out, seed: 7 }
const some = { only: ['plugin.delete.keeps-order', 'plugin.persist.list', 'plugin.auth.reads-need-key'] }

describePluginConformance({ ...common, ...some, title: 'read alone', url: () => good.url })
describePluginConformance({ ...common, ...some, title: 'good', url: () => good.url, risk: 'write' })
describePluginConformance({ ...common, ...some, title: 'bad', url: () => bad.url, risk: 'write' })
describePluginConformance({ ...common, title: 'silent', url: () => good.url, only: ['plugin.delete.keeps-order'] })
describePluginConformance({ ...common, ...some, title: 'complete', url: () => good.url, risk: 'write', complete: true })
describePluginConformance({
  ...common,
  ...{ title: 'limited', url: () => limited.url, risk: 'write', only: ['plugin.list.ok', 'CT-821'] },
})
describePluginConformance({ ...common, title: 'gone', url: () => gone.url, only: ['plugin.list.ok'] })
describePluginConformance({
  title: 'started',
  exec: `"${process.execPath}" fixtures/servers/plain.mjs`,
  only: ['plugin.persist.list', 'plugin.list.ok'],
  out,
  strict: true,
})

const guard = 'something was judged, and nothing in scope was left unjudged'

describe('the server is stopped after its last test', () => {
  afterEach(async ({ task }) => {
    if (task.name === guard) await stopped.stop()
  })
  describePluginConformance({ ...common, title: 'stopped', url: () => stopped.url, only: ['plugin.list.ok'] })
})
describe('the server that the kit started is killed after its last test', () => {
  const pid = join(out, 'pid')
  afterEach(({ task }) => {
    if (task.name === guard) process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
  })
  // It starts only once.
  const exec = `test ! -e "${pid}" && echo $$ >"${pid}" && exec "${process.execPath}" fixtures/servers/plain.mjs`
  describePluginConformance({ title: 'killed', exec, only: ['plugin.list.ok'], out, seed: 7 })
})
