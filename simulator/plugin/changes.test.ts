import { expect, test } from 'vitest'
import { createSimulator, type Override } from '../index.ts'
import { key, post, ruleText, send } from '../testing/client.ts'
import { latchBeforeSave } from './testing/latch.ts'

async function started(override: Override = () => ({})) {
  const simulator = createSimulator({ port: 0, apiKey: key, override })
  await simulator.start()
  return simulator
}

test('a rule is listed as it was sent, with the reported index', async () => {
  await using simulator = await started()
  const rule = { master: '18446744073709551615', follower: '9007199254740993', value: '0.1', direction: '"reverse"' }
  const added = await post(simulator, ruleText({ ...rule, mode: '"multiplier"' }))
  expect([added.status, added.text]).toEqual([
    201,
    '{"success":true,"index":0,"master":18446744073709551615,"follower":9007199254740993}',
  ])
  expect((await send(simulator)).text).toBe(
    '{"rules":[{"index":0,"master":18446744073709551615,"follower":9007199254740993,"mode":"mult","value":0.1,"direction":"reverse"}],"total":1}',
  )
})

test('the status reports the number of rules and the port', async () => {
  await using simulator = await started()
  await post(simulator, ruleText())
  expect(JSON.parse((await send(simulator, { path: '/api/status' })).text)).toEqual({
    plugin: 'Service Copy Trade',
    version: '1.0',
    license_active: true,
    rules_loaded: 1,
    api_port: simulator.port,
  })
})

test('after a DELETE the later rules move up', async () => {
  await using simulator = await started()
  for (const follower of ['1', '2', '3']) await post(simulator, ruleText({ follower }))
  const removed = await send(simulator, { method: 'DELETE', path: '/api/rules/1' })
  expect([removed.status, removed.text]).toEqual([200, '{"success":true}'])
  const { rules, total } = JSON.parse((await send(simulator)).text)
  expect(total).toBe(2)
  expect(rules.map(({ index, follower }: { index: number; follower: number }) => [index, follower])).toEqual([
    [0, 1],
    [1, 3],
  ])
})

test('concurrent changes are serialised', async () => {
  await using simulator = await started()
  const followers = Array.from({ length: 50 }, (_, number) => `${number + 1}`)
  const replies = await Promise.all(followers.map((follower) => post(simulator, ruleText({ follower }))))
  for (const { text } of replies) {
    const { index, follower } = JSON.parse(text)
    expect(simulator.rules[index]?.follower).toBe(BigInt(follower))
  }
  expect(new Set(replies.map(({ text }) => JSON.parse(text).index)).size).toBe(50)
  const removals = await Promise.all(followers.map(() => send(simulator, { method: 'DELETE', path: '/api/rules/49' })))
  expect(removals.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the response to a change is sent after the file is on disk, and reads do not wait for it', async () => {
  const { override, reached, open } = latchBeforeSave()
  await using simulator = await started(override)
  let answered = false
  const adding = post(simulator, ruleText()).then((reply) => {
    answered = true
    return reply
  })
  await reached
  expect(JSON.parse((await send(simulator)).text).total).toBe(0)
  expect(answered).toBe(false)
  open()
  expect((await adding).status).toBe(201)
  expect(await simulator.rulesFile.exists()).toBe(true)
})

test('a change that cannot be saved gets 500 and has no effect', async () => {
  const { override, reached, fail } = latchBeforeSave()
  await using simulator = await started(override)
  const adding = post(simulator, ruleText())
  await reached
  fail(new Error('disk full'))
  const { status, text } = await adding
  expect([status, JSON.parse(text)]).toEqual([500, { error: 'Internal server error: the rules could not be saved.' }])
  expect(JSON.parse((await send(simulator)).text).total).toBe(0)
})

test('a list of 1,000 rules is encoded once until it changes', async () => {
  let written = 0
  await using simulator = createSimulator({
    port: 0,
    parameters: { API_Key: key, Copy_1: `1>${Array.from({ length: 999 }, (_, i) => i + 1)},mult,1,same` },
    override: (hooks) => ({
      listBody: (rules) => {
        written++
        return hooks.listBody(rules)
      },
    }),
  })
  await simulator.start()
  for (let time = 0; time < 10; time++) await send(simulator)
  expect(written).toBe(1)
  await post(simulator, ruleText())
  expect(JSON.parse((await send(simulator)).text).total).toBe(1000)
  await send(simulator)
  expect(written).toBe(2)
})
