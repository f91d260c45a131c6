import { expect, test } from 'vitest'
import { combine } from '../../defect-parts/combine.ts'
import { createSimulator, memoryRulesFile, type Simulator } from '../../index.ts'
import type { Override } from '../hooks/hooks.ts'
import { encodeRules } from '../store/file-format.ts'
import { pluginDefects } from './index.ts'

const overrideOf = (id: string): Override =>
  pluginDefects.find((defect) => defect.id === id)?.override ?? expect.unreachable(`there is no defect ${id}`)

const restoring = overrideOf('start.backup-restored')

const parameters = { API_Key: 'key', Copy_1: '1>2,mult,1,same' }

async function fileWithOneRule() {
  const rulesFile = memoryRulesFile()
  await rulesFile.write(encodeRules([{ master: 7n, follower: 8n, mode: 'mult', value: 1, direction: 'same' }]))
  return rulesFile
}

const mastersOf = ({ rules }: Simulator) => rules.map(({ master }) => master)

/** The masters after a start with this rules file. */
async function startedWith(override: Override, rulesFile = memoryRulesFile()) {
  const simulator = createSimulator({ port: 0, parameters, override, rulesFile })
  await simulator.start()
  try {
    return mastersOf(simulator)
  } finally {
    await simulator.stop()
  }
}

test.each([
  ['alone', restoring],
  ['with another defect', combine([restoring, overrideOf('status.port-zero')])],
] as const)('a defect %s remembers the earlier starts of its own server, and of no other', async (_, override) => {
  const rulesFile = await fileWithOneRule()
  expect(await startedWith(override, rulesFile)).toEqual([7n])
  await rulesFile.remove()
  expect(await startedWith(override, rulesFile)).toEqual([7n])
  expect(await startedWith(override)).toEqual([1n])
})

test('a defect remembers the earlier starts of a simulator that was restarted', async () => {
  const rulesFile = await fileWithOneRule()
  const simulator = createSimulator({ port: 0, parameters, override: restoring, rulesFile })
  await simulator.start()
  await rulesFile.remove()
  await simulator.restart()
  const masters = mastersOf(simulator)
  await simulator.stop()
  expect(masters).toEqual([7n])
})
