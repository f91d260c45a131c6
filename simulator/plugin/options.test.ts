import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions, serveControl } from '../index.ts'
import { createPlatformSimulator } from '../platform/index.ts'

const rule = { master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' }

test.for([
  [{ capcity: 3 }, 'There is no option "capcity". Did you mean "capacity"?'],
  [{ defect: 'nope' }, 'There is no option "defect".'],
  [
    { plugin: { licenceActive: false } },
    'There is no option "plugin.licenceActive". Did you mean "plugin.licenseActive"?',
  ],
  [{ requestTimeoutMs: '10' }, 'requestTimeoutMs must be an integer of at least 0.'],
  [{ rules: [{ master: 1 }] }, 'Rule 1 of 1: follower is missing.'],
  [{ rules: [rule, { ...rule, folower: 2 }] }, 'Rule 2 of 2: there is no member "folower". Did you mean "follower"?'],
  [{ rules: [{ ...rule, mode: 'multiplier' }] }, 'Rule 1 of 1: not a valid rule: multiplier, 1, same.'],
] as const)('options that have no effect are rejected: %j', ([options, message]) => {
  expect(() => createSimulator(options as object)).toThrow(message)
})

test('rules accept logins as numbers or bigints', async () => {
  await using simulator = createSimulator({
    port: 0,
    apiKey: 'k',
    rules: [rule, { ...rule, master: 2n ** 60n }] as SimulatorOptions['rules'] & object,
  })
  await simulator.start()
  expect(simulator.rules.map(({ master }) => master)).toEqual([1n, 2n ** 60n])
})

test('an unknown option of the platform or the control server is rejected', async () => {
  expect(() => createPlatformSimulator({ vendr: 'X' } as object)).toThrow('Did you mean "vendor"?')
  expect(() => createPlatformSimulator({ account: { nam: 'X' } } as object)).toThrow('Did you mean "account.name"?')
  await expect(serveControl(createSimulator(), { prt: 1 } as object)).rejects.toThrow('Did you mean "port"?')
})
