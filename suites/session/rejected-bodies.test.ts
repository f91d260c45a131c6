import { expect, test } from 'vitest'
import { judge } from '../runner/judge.ts'
import { check, foreign, own } from '../runner/judged.test-data.ts'
import type { PluginContext } from '../runner/plugin/context.ts'
import { expectBodiesRejected } from './rejected-bodies.ts'

/**
 * The number of requests that each of two checks of the same rejected bodies sends, and the exchanges that it shows.
 */
async function judgedTwice(context: PluginContext, between: () => void = () => undefined) {
  const shown: number[] = []
  const sharing = check(async (session) => {
    const bodies = [['no object', '[]']] as const
    await expectBodiesRejected(session, [{ bodies, twin: session.rules.draft(), shared: 'bodies' }])
  })
  for (const act of [() => undefined, between]) {
    act()
    const outcome = await judge(sharing, context)
    expect(outcome.status, String(outcome.message)).toBe('passed')
    shown.push(outcome.exchanges.length)
  }
  return shown
}

test('requests that two checks judge are sent to a foreign server once, and both checks show them', async () => {
  const [first, second] = await judgedTwice((await foreign()).context)
  expect(first).toBeGreaterThan(5)
  expect(second).toBe(1)
})

test('they are sent again to a server of the kit, and if a check is repeated', async () => {
  const { context } = await own()
  expect((await judgedTwice(context))[1]).toBeGreaterThan(5)
  const repeating = (await foreign()).context
  expect((await judgedTwice(repeating, () => repeating.rewind?.()))[1]).toBeGreaterThan(5)
})
