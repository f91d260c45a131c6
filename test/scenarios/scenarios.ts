import { expect } from 'vitest'
import type { ScenarioEnvironment } from './environment.ts'

/** What a client must see wherever the simulator runs. */
interface Scenario {
  readonly name: string
  readonly run: (environment: ScenarioEnvironment) => Promise<void>
}

const draft = (follower: number) =>
  JSON.stringify({ master: 3005, follower, mode: 'mult', value: 1.5, direction: 'same' })

const add = (environment: ScenarioEnvironment, follower: number) =>
  environment.send('POST', '/api/rules', { body: draft(follower) })

async function followers(environment: ScenarioEnvironment): Promise<readonly number[]> {
  const { status, body } = await environment.send('GET', '/api/rules')
  expect(status).toBe(200)
  const { rules, total } = body as { rules: { index: number; follower: number }[]; total: number }
  expect(rules.map(({ index }) => index)).toEqual([...rules.keys()])
  expect(total).toBe(rules.length)
  return rules.map(({ follower }) => follower)
}

const error = { error: expect.any(String) }

/** Ten scenarios, the same for every environment. Each starts with the rules of `Copy_1`, `Copy_2` and `Copy_10`. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a rule that was added is listed at the index of the answer',
    run: async (environment) => {
      const reply = await add(environment, 45163)
      expect(reply).toMatchObject({ status: 201, body: { success: true, index: 3, master: 3005, follower: 45163 } })
      expect(await followers(environment)).toEqual([2001, 2002, 2010, 45163])
    },
  },
  {
    name: 'a removal shifts the indices of the rules behind it',
    run: async (environment) => {
      expect(await environment.send('DELETE', '/api/rules/1')).toMatchObject({ status: 200, body: { success: true } })
      expect(await followers(environment)).toEqual([2001, 2010])
    },
  },
  {
    name: 'at capacity a rule is answered with 500, and there is room again after a removal',
    run: async (environment) => {
      expect((await add(environment, 1)).status).toBe(201)
      expect((await add(environment, 2)).status).toBe(201)
      expect(await add(environment, 3)).toMatchObject({ status: 500, body: error })
      expect(await followers(environment)).toEqual([2001, 2002, 2010, 1, 2])
      await environment.send('DELETE', '/api/rules/0')
      expect((await add(environment, 4)).status).toBe(201)
    },
  },
  {
    name: 'without the key, or with a wrong one: 401',
    run: async (environment) => {
      for (const key of [null, 'a-wrong-key']) {
        expect(await environment.send('GET', '/api/status', { key })).toMatchObject({ status: 401, body: error })
        expect((await environment.send('POST', '/api/rules', { key, body: draft(1) })).status).toBe(401)
      }
      expect(await followers(environment)).toEqual([2001, 2002, 2010])
    },
  },
  {
    name: 'an unknown path or index: 404',
    run: async (environment) => {
      expect(await environment.send('GET', '/api/nothing')).toMatchObject({ status: 404, body: error })
      expect(await environment.send('DELETE', '/api/rules/3')).toMatchObject({ status: 404, body: error })
      expect(await environment.send('DELETE', '/api/rules/abc')).toMatchObject({ status: 404, body: error })
    },
  },
  {
    name: 'another method on a known path: 405 with Allow',
    run: async (environment) => {
      const reply = await environment.send('PUT', '/api/rules', { body: draft(1) })
      expect(reply).toMatchObject({ status: 405, body: error })
      expect(reply.allow).toMatch(/GET.*POST/)
      expect((await environment.send('PATCH', '/api/status', { body: '{}' })).status).toBe(405)
    },
  },
  {
    name: 'a body that is no JSON, or lacks a field: 400',
    run: async (environment) => {
      for (const body of ['{"master":', '{"master":1}', '', '[]']) {
        expect(await environment.send('POST', '/api/rules', { body })).toMatchObject({ status: 400, body: error })
      }
      expect(await followers(environment)).toEqual([2001, 2002, 2010])
    },
  },
  {
    name: 'a change is there after a restart',
    run: async (environment) => {
      await add(environment, 45163)
      await environment.send('DELETE', '/api/rules/0')
      await environment.restart()
      expect(await followers(environment)).toEqual([2002, 2010, 45163])
    },
  },
  {
    name: 'the rules file wins over Copy_N, which count by number again once it is deleted',
    run: async (environment) => {
      for (const _ of [1, 2, 3]) await environment.send('DELETE', '/api/rules/0')
      await environment.restart()
      expect(await followers(environment)).toEqual([])
      await environment.restart({ deleteRulesFile: true })
      expect(await followers(environment)).toEqual([2001, 2002, 2010])
    },
  },
  {
    name: 'a fault is played as often as it was asked for, and the plugin never sees the request',
    run: async (environment) => {
      const effect = { kind: 'answer', status: 503, body: { error: 'busy' } } as const
      await environment.addFault({ when: { method: 'POST', path: '/api/rules' }, times: 1, effect })
      expect(await add(environment, 1)).toMatchObject({ status: 503, body: { error: 'busy' } })
      expect((await add(environment, 2)).status).toBe(201)
      expect(await followers(environment)).toEqual([2001, 2002, 2010, 2])
    },
  },
]
