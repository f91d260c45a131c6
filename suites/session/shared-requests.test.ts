import { expect, test } from 'vitest'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { pluginChecks } from '../checks/plugin/all.ts'
import { judge } from '../runner/judge.ts'
import { foreign } from '../runner/judged.test-data.ts'

const sharing = (shares: string) => pluginChecks.filter((check) => check.shares === shares)

test.each(['related rules', 'eight additions', 'additions and removals'])(
  'a foreign server gets the %s once, and each check passes',
  async (shares) => {
    let changes = 0
    const { context } = await foreign({}, ({ method }) => {
      if (method !== 'GET') changes += 1
      return false
    })
    const sent: number[] = []
    for (const check of sharing(shares)) {
      const before = changes
      expect(await judge(check, context)).toMatchObject({ check: check.id, status: 'passed' })
      sent.push(changes - before)
    }
    const [first, ...others] = sent
    expect(first).toBeGreaterThan(10)
    expect(new Set(others)).toEqual(new Set([0]))
  },
)

test('the script of a check names the changes that an earlier check sent, up to the one that fails', async () => {
  const { override } = pluginDefects.find(({ id }) => id === 'delete.reverses-later-rules') ?? {}
  const { context } = await foreign({ ...(override && { override }) })
  const outcomes = []
  for (const check of sharing('additions and removals')) outcomes.push(await judge(check, context))
  expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed'])
  const failed = outcomes.at(-1)
  const requests = failed?.script?.match(/-X (?:POST|DELETE)/g)
  const add = '-X POST'
  expect(requests).toEqual([add, add, add, add, '-X DELETE', add, add, '-X DELETE'])
  expect(failed?.exchanges.map(({ id }) => id)).toContain(failed?.decidedBy)
})
