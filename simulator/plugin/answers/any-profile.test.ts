import { type Arbitrary, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { expect, test } from 'vitest'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { createSimulator, type Profile, type Simulator } from '../../index.ts'
import { key, post, ruleText, type Sent, send } from '../../testing/client.ts'

/** Any combination of answers. */
const anyProfile = record(
  Object.fromEntries(pluginQuestions.map(({ id, answers }) => [id, constantFrom(...Object.keys(answers))])),
) as unknown as Arbitrary<Profile>

const contentType = { 'Content-Type': 'application/json' }
const headers = { ...contentType, 'X-API-Key': key }

const list = async (simulator: Simulator) => JSON.parse((await send(simulator)).text)
const add = async (simulator: Simulator, follower: number) =>
  JSON.parse((await post(simulator, ruleText({ follower: `${follower}` }), { headers })).text)

async function expectRulesToBeStored(simulator: Simulator) {
  for (const follower of [1, 2]) {
    const { index } = await add(simulator, follower)
    const { rules, total } = await list(simulator)
    expect(total).toBe(follower)
    expect(rules.find((rule: { index: number }) => rule.index === index)).toMatchObject({ follower })
  }
  const before = await list(simulator)
  await simulator.restart()
  expect(await list(simulator)).toEqual(before)
}

const rejected: readonly (readonly [number, Sent])[] = [
  [401, { headers: {} }],
  [401, { path: '/api/status', headers: {} }],
  [401, { method: 'POST', body: ruleText(), headers: contentType }],
  [401, { method: 'DELETE', path: '/api/rules/1', headers: {} }],
  [404, { path: '/nowhere' }],
  [404, { method: 'DELETE', path: '/api/rules/abc' }],
  [404, { method: 'DELETE', path: '/api/rules/' }],
  [404, { method: 'DELETE', path: '/api/rules/3' }],
  [405, { method: 'PUT' }],
  [405, { path: '/api/rules/1' }],
  [500, { method: 'POST', body: ruleText({ follower: '3' }), headers }],
]

test('under any profile the documented operations follow the specification', { timeout: 120_000 }, async () => {
  await assert(
    asyncProperty(anyProfile, async (profile) => {
      await using simulator = createSimulator({ port: 0, parameters: { API_Key: key }, capacity: 2, profile })
      await simulator.start()
      await expectRulesToBeStored(simulator)
      for (const [status, sent] of rejected) expect(await send(simulator, sent)).toMatchObject({ status })
      expect((await send(simulator, { method: 'DELETE', path: '/api/rules/1' })).status).toBe(200)
      expect((await post(simulator, '{', { headers })).status).toBe(400)
      expect(await list(simulator)).toMatchObject({ total: 1 })
    }),
    { numRuns: 40 },
  )
})
