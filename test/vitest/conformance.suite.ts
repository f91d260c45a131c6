import { afterAll, beforeAll } from 'vitest'
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
const limited = createSimulator({ port: 0, parameters })
limited.control.faults.add({ when: { method: 'PUT' }, effect: { kind: 'answer', status: 429 } })

beforeAll(async () => {
  await good.start()
  await bad.start()
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
