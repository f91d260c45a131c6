import { describe, expect } from 'vitest'
import { simulatorTest } from '../../cli/vitest/index.ts'

// Run by vitest.test.ts in a separate Vitest, like a user's suite.

const headers = (apiKey: string) => ({ 'X-API-Key': apiKey, 'Content-Type': 'application/json', Connection: 'close' })
const rule = JSON.stringify({ master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' })

const perFile = simulatorTest({ parameters: { Copy_1: '1001>2001,mult,1,same' } })
const perTest = simulatorTest({ per: 'test', apiKey: 'k' })
const strict = simulatorTest({ failOnUnexpected: true })
const forgetful = simulatorTest({ failOnUnexpected: true, journal: 3 })
const blind = simulatorTest({ failOnUnexpected: true, journal: 0 })
const ports = new Set<number>()

describe('per file', () => {
  perFile('adds a rule and a fault, and stops', async ({ simulator, apiKey }) => {
    ports.add(simulator.port)
    const response = await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers: headers(apiKey), body: rule })
    expect(response.status).toBe(201)
    expect(simulator.rules).toHaveLength(2)
    simulator.control.faults.add({ effect: { kind: 'reset' } })
    await simulator.stop()
  })
  perFile('starts the next test from the initial state', async ({ simulator, apiKey }) => {
    const response = await fetch(`${simulator.url}/api/rules`, { headers: headers(apiKey) })
    expect(await response.json()).toMatchObject({ total: 1 })
    expect(simulator.control.journal.count()).toBe(1)
  })
})

describe('per test', () => {
  perTest.concurrent('has its own simulator', async ({ simulator, apiKey }) => {
    expect(apiKey).toBe('k')
    ports.add(simulator.port)
    await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers: headers(apiKey), body: rule })
    expect(simulator.rules).toHaveLength(1)
  })
  perTest.concurrent('has another simulator in another test', async ({ simulator, apiKey }) => {
    ports.add(simulator.port)
    await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers: headers(apiKey), body: rule })
    expect(simulator.rules).toHaveLength(1)
  })
})

describe('unexpected requests', () => {
  strict('fails for a method that is not allowed', async ({ simulator, apiKey }) => {
    await fetch(`${simulator.url}/api/rules`, { method: 'PUT', headers: headers(apiKey), body: rule })
  })
  strict('passes if that was expected', async ({ simulator, apiKey, expectRejections }) => {
    expectRejections(405)
    await fetch(`${simulator.url}/api/rules`, { method: 'PUT', headers: headers(apiKey), body: rule })
  })
  strict('fails for an error status that was not expected', async ({ simulator, expectRejections }) => {
    expectRejections(405)
    await fetch(`${simulator.url}/api/rules`, { headers: headers('wrong') })
  })
  strict('passes for a fault and for valid requests', async ({ simulator, apiKey }) => {
    simulator.control.faults.add({ times: 1, effect: { kind: 'answer', status: 404 } })
    for (const _ of [1, 2]) await fetch(`${simulator.url}/api/rules`, { headers: headers(apiKey) })
  })
  strict('fails for an error response of the plugin during a delay', async ({ simulator, apiKey }) => {
    simulator.control.faults.add({ effect: { kind: 'delay', ms: 1 } })
    await fetch(`${simulator.url}/api/nope`, { headers: headers(apiKey) })
  })
  strict('fails for an error response that a full disk does not affect', async ({ simulator, apiKey }) => {
    simulator.control.faults.add({ effect: { kind: 'disk-full' } })
    await fetch(`${simulator.url}/api/nope`, { headers: headers(apiKey) })
  })
  forgetful('fails for an error response that the journal has dropped', async ({ simulator, apiKey }) => {
    await fetch(`${simulator.url}/api/nope`, { headers: headers(apiKey) })
    for (let turn = 0; turn < 4; turn++) await fetch(`${simulator.url}/api/rules`, { headers: headers(apiKey) })
    expect(simulator.control.journal.count({ status: 404 })).toBe(0)
  })
  forgetful('fails for an error response before a reset', async ({ simulator, apiKey }) => {
    await fetch(`${simulator.url}/api/nope`, { headers: headers(apiKey) })
    await simulator.control.reset()
  })
  forgetful('passes for valid requests after all that', async ({ simulator, apiKey }) => {
    for (let turn = 0; turn < 4; turn++) await fetch(`${simulator.url}/api/rules`, { headers: headers(apiKey) })
  })
  blind('fails if there is no journal', async ({ simulator, apiKey }) => {
    await fetch(`${simulator.url}/api/rules`, { headers: headers(apiKey) })
  })
})
