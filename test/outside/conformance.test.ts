import { expect, test } from 'vitest'
import { conformance, isCheck, simulator, targetKey } from '../run-conformance.ts'

test('a target is only read unless TCK_RISK allows more, and a right one passes', async () => {
  const { code, results } = await conformance({ TCK_TARGET: await simulator(), TCK_API_KEY: targetKey })
  expect(code).toBe(0)
  const checks = results.filter(isCheck)
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['passed', 'skipped']))
  expect(checks.find(({ title }) => title.startsWith('CT-471 '))?.status).toBe('skipped')
})

test('a risk that does not exist fails with those that do', async () => {
  const { code, message } = await conformance({ TCK_TARGET: 'http://127.0.0.1:1', TCK_API_KEY: 'k', TCK_RISK: 'all' })
  expect(code).toBe(1)
  expect(message).toContain('Use `read`, `write` or `exclusive`')
})

test('incomplete variables fail with what to set', async () => {
  const { code, message } = await conformance({ TCK_TARGET: 'http://127.0.0.1:1' })
  expect(code).toBe(1)
  expect(message).toContain('Set `TCK_API_KEY`')
})
