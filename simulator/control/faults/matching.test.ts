import { expect, test } from 'vitest'

import { faulty, headers, rule, status } from './faulty.test-data.ts'

test('requests are matched by method, path and body members', async () => {
  const when = { method: 'post', path: '/api/*', body: { master: 5 } }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  expect(await status(simulator)).toBe(200)
  expect(await status(simulator, 'POST', { ...rule, master: 7 })).toBe(201)
  expect(await status(simulator, 'POST', rule)).toBe(418)
  expect(simulator.control.faults.list()).toMatchObject([{ id: 'fault-1', matched: 1, played: 1 }])
})

test('nested members are matched, and the last of duplicate members counts', async () => {
  const when = { body: { master: 5, more: { list: [2n ** 64n, 'a'], none: null } } }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  const ask = async (body: string) =>
    (await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body })).status
  const more = '"more":{"none":null,"list":[18446744073709551616,"a"]}'
  expect(await ask(`{"master":4,"master":5,${more}}`)).toBe(418)
  expect(await ask(`{"master":5,"master":4,${more}}`)).not.toBe(418)
})

test('a fault that reads bodies leaves the limit of the plugin as the profile says', async () => {
  const profile = { 'plugin.body.size-limit': 'accepted' } as const
  const simulator = await faulty({ when: { body: { master: 7 } }, effect: { kind: 'hang' } }, { profile })
  expect(await status(simulator, 'POST', { ...rule, note: 'x'.repeat(2 ** 20) })).toBe(201)
})

test('a response keeps all digits of a login', async () => {
  const simulator = await faulty({ effect: { kind: 'answer', status: 200, body: { master: 2n ** 53n + 1n } } })
  const answer = await fetch(`${simulator.url}/api/rules`, { headers })
  expect(await answer.text()).toBe('{"master":9007199254740993}')
})

test('the path can be matched by a regular expression, in both forms of a request target', async () => {
  const when = { pathPattern: '^/api/rules/\\d+$' }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  const ask = async (path: string) => (await fetch(`${simulator.url}${path}`, { method: 'DELETE', headers })).status
  expect([await ask('/api/rules/x'), await ask('/api/rules/7?a=1'), await status(simulator)]).toEqual([404, 418, 200])
})

test.for([
  ['2^53 + 1 in JSON', '9007199254740993', 9007199254740993n, 9007199254740992n],
  ['2^53', '9007199254740992', 2 ** 53, 2n ** 53n + 1n],
  ['a bigint that a number holds', '5', 5n, 6n],
] as const)('a login is matched with all its digits: %s', async ([, digits, master, other]) => {
  const simulator = await faulty({ when: { body: { master } }, effect: { kind: 'answer', status: 418 } })
  const add = async (login: string) => {
    const body = `{"master":${login},"follower":6,"mode":"mult","value":2,"direction":"same"}`
    return (await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body })).status
  }
  expect([await add(String(other)), await add(digits)]).toEqual([201, 418])
})
