import { expect, test } from 'vitest'
import type { Override } from '../../simulator/plugin/hooks/hooks.ts'
import { ErrorResponse } from '../../simulator/server/response.ts'
import { command, emptyFolder } from '../command.ts'
import { judgeSimulator } from '../judge-simulator.ts'

/** A server that lets no account be both master and follower, to prevent trades from being copied in circles. */
const rejectsChains: Override = ({ judgeRule }) => ({
  judgeRule: (rule, rules) =>
    rules.some((known) => known.master === rule.follower || known.follower === rule.master)
      ? new ErrorResponse(400, 'An account cannot be master and follower at once.')
      : judgeRule(rule, rules),
})

/** Six significant digits are required. A server that keeps more until it restarts conforms too. */
const readsFloats: Override = ({ decodeFile }) => ({
  decodeFile: (bytes) => decodeFile(bytes).map((rule) => ({ ...rule, value: Math.fround(rule.value) })),
})

test.for<[string, Override, readonly string[]]>([
  [
    'refuses chains of accounts, of which nothing is specified,',
    rejectsChains,
    ['plugin.rule.*', 'plugin.add.*', 'plugin.delete.*', 'plugin.list.*', 'plugin.sequence.*'],
  ],
  ['reads 32-bit floats from its file', readsFloats, ['plugin.persist.*', 'plugin.start.*', 'plugin.capacity.*']],
])('a server that %s is not accused', async ([, override, only]) => {
  const outcomes = await judgeSimulator({ override }, { only, seed: 5 })
  expect(outcomes.length).toBeGreaterThan(30)
  expect(
    outcomes.filter(({ status }) => status !== 'passed').map(({ check, message }) => `${check} ${message}`),
  ).toEqual([])
})

test.for(['900000001-900000012', '900000001-900000040'])(
  'a correct server is not accused if there are only the few logins %s, so that rules share some',
  async (logins) => {
    const args = ['run', '--strict', '--logins', logins, '--seed', '1']
    const { code, stdout } = await command(args, { cwd: emptyFolder() })
    expect(code, stdout).toBe(0)
  },
)
