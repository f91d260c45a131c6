import { expect, test } from 'vitest'
import type { Override } from '../simulator/http/seams/seams.ts'
import { Refusal } from '../simulator/server/refusal.ts'
import { judgeSimulator } from './judge-simulator.ts'

/** A server that lets no account be master and follower at once, lest trades go round in circles. */
const refusesChains: Override = ({ judgeRule }) => ({
  judgeRule: (rule, rules) =>
    rules.some((known) => known.master === rule.follower || known.follower === rule.master)
      ? new Refusal(400, 'An account cannot be master and follower at once.')
      : judgeRule(rule, rules),
})

test('a server that refuses chains of accounts, of which nothing is specified, is not accused', async () => {
  const outcomes = await judgeSimulator(
    { override: refusesChains },
    { only: ['plugin.rule.*', 'plugin.add.*', 'plugin.delete.*', 'plugin.list.*', 'plugin.sequence.*'], seed: 5 },
  )
  expect(outcomes.length).toBeGreaterThan(50)
  expect(
    outcomes.filter(({ status }) => status !== 'passed').map(({ check, message }) => `${check} ${message}`),
  ).toEqual([])
})
