import { expect, test } from 'vitest'
import { createSimulator, memoryRulesFile, type SimulatorOptions, serveControl } from '../index.ts'
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
  [{ rules: [rule, null] }, 'Rule 2 of 2: not an object.'],
  [{ rules: [rule], dataDir: 'd' }, 'rules must be left out beside dataDir, which holds the list.'],
  [{ rules: [rule], rulesFile: memoryRulesFile() }, 'rules must be left out beside rulesFile, which holds the list.'],
  [{ dataDir: 'd', rulesFile: memoryRulesFile() }, 'dataDir must be left out beside rulesFile, which holds the list.'],
  [{ rules: [rule, { ...rule, folower: 2 }] }, 'Rule 2 of 2: there is no member "folower". Did you mean "follower"?'],
  [{ rules: [{ ...rule, mode: 'multiplier' }] }, 'Rule 1 of 1: not a valid rule: multiplier, 1, same.'],
] as const)('options that have no effect are rejected: %j', ([options, message]) => {
  expect(() => createSimulator(options as object)).toThrow(message)
})

test.for([
  ['apiKey', 5, 'a string'],
  ['apiKey', null, 'a string'],
  ['port', '8443', 'an integer from 0 to 65535'],
  ['host', 5, 'a host name or an address'],
  ['host', '', 'a host name or an address'],
  ['parameters', 'API_Key', 'an object with strings'],
  ['parameters', { API_Port: 8443 }, 'an object with strings'],
  ['dataDir', 5, 'a string'],
  ['fsync', 'no', 'true or false'],
  ['rulesFile', {}, 'a file, such as memoryRulesFile()'],
  ['rules', 'none', 'a list'],
  ['capacity', '10', 'an integer of at least 0'],
  ['profile', ['1'], 'an object'],
  ['override', {}, 'a function'],
  ['plugin', 5, 'an object'],
  ['journal', 1.5, 'an integer of at least 0'],
  ['log', {}, 'a function or a logger'],
  ['errorTexts', 'x', 'an object with strings'],
  ['reasonPhrases', { 200: 5 }, 'an object with strings that a header can carry'],
  ['reasonPhrases', { 200: '\u03a9' }, 'an object with strings that a header can carry'],
  ['headers', 5, 'an object with strings that a header can carry'],
  ['headers', { 'Content-Type': 'a\nb' }, 'an object with strings that a header can carry'],
] as const)('the option %s rejects %j', ([name, value, expected]) => {
  expect(() => createSimulator({ [name]: value })).toThrow(`${name} must be ${expected}.`)
})

test.for([null, 5, 'k', []])('%j is not accepted as options', (options) => {
  expect(() => createSimulator(options as object)).toThrow('The argument must be an object.')
})

test('an undefined option has its default, and an invalid member names its option', () => {
  expect(createSimulator({ apiKey: 'k', capacity: undefined } as object).control.capacity()).toBe(1000)
  expect(() => createSimulator({ plugin: { version: 2 } } as object)).toThrow('plugin.version must be a string.')
  expect(() => createPlatformSimulator({ vendor: 5 } as object)).toThrow('vendor must be a string.')
})

test('an undefined member of an option has its default too', async () => {
  const options = {
    parameters: { API_Key: 'k', Copy_1: undefined },
    plugin: { version: undefined },
    errorTexts: { 'missing-field': undefined },
    headers: { 'Content-Type': undefined },
  }
  await using simulator = createSimulator({ port: 0, ...options } as object)
  await simulator.start()
  const headers = { 'X-API-Key': 'k' }
  const status = await fetch(`${simulator.url}/api/status`, { headers })
  expect(status.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await status.json()).toMatchObject({ version: '1.0', rules_loaded: 0 })
  const rejected = await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body: '{}' })
  expect(await rejected.json()).toEqual({ error: 'master is missing.' })
  expect(createPlatformSimulator({ account: { name: undefined } } as object).account.name).toBe('Example Brokerage')
})

test('what a control is given is checked before it changes anything', async () => {
  await using simulator = createSimulator({ port: 0, apiKey: 'k' })
  await simulator.start()
  const { control } = simulator
  const invalid = { name: 'InvalidOptionError' }
  const unknown = { name: 'UnknownOptionError' }
  await expect(simulator.restart({ parameters: { API_Key: 5 } } as object)).rejects.toMatchObject(invalid)
  await expect(control.restart({ deleteRulesFiles: true } as object)).rejects.toMatchObject(unknown)
  await expect(control.crash({ deleteRulesFile: 'yes' } as object)).rejects.toMatchObject(invalid)
  await expect(control.replaceRules('none' as never)).rejects.toMatchObject(invalid)
  expect(() => control.replaceParameters({ API_Port: 1 } as never)).toThrow(
    'parameters must be an object with strings.',
  )
  expect(() => control.setLicenseActive('no' as never)).toThrow('active must be true or false.')
  expect(() => control.clock.freeze('yesterday' as never)).toThrow('The time of the clock must be a valid Date')
  expect(simulator.running).toBe(true)
  expect(control.parameters()).toEqual({ API_Key: 'k' })
})

test('the journal rejects a filter that it does not know, as this would match every request', async () => {
  const { journal } = createSimulator().control
  expect(() => journal.count({ staus: 500 } as object)).toThrow('There is no option "staus". Did you mean "status"?')
  expect(() => journal.find({ status: '500' } as never)).toThrow('status must be a number or null.')
  await expect(journal.waitFor('1' as never)).rejects.toThrow('count must be an integer of at least 0.')
  await expect(journal.waitFor(1, {}, { timeout: 1 } as object)).rejects.toThrow('Did you mean "timeoutMs"?')
  await expect(journal.waitFor(1, {}, Number.NaN)).rejects.toThrow('timeoutMs must be a number of at least 0.')
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
  await expect(serveControl(createSimulator(), { port: -1 })).rejects.toThrow(
    'port must be an integer from 0 to 65535.',
  )
})
