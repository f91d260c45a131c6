import { expect, test } from 'vitest'
import { conformance, isCheck, simulator, targetKey } from '../run-conformance.ts'

test('a target is only read unless TCK_RISK allows more, and a correct one passes', async () => {
  const { code, results } = await conformance({ TCK_TARGET: await simulator(), TCK_API_KEY: targetKey })
  expect(code).toBe(0)
  const checks = results.filter(isCheck)
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['passed', 'skipped']))
  expect(checks.find(({ title }) => title.startsWith('CT-471 '))?.status).toBe('skipped')
})

test('an unknown risk fails with the list of risks', async () => {
  const { code, message } = await conformance({ TCK_TARGET: 'http://127.0.0.1:1', TCK_API_KEY: 'k', TCK_RISK: 'all' })
  expect(code).toBe(1)
  expect(message).toContain('Use `read`, `write` or `exclusive`')
})

test('incomplete variables fail with the ones to set', async () => {
  const { code, message } = await conformance({ TCK_TARGET: 'http://127.0.0.1:1' })
  expect(code).toBe(1)
  expect(message).toContain('Set `TCK_API_KEY`')
})

test('without a target each check of the embedded simulators is a test', async () => {
  const { code, results } = await conformance({}, '-t', 'GET /api/status|GET /v1/')
  const run = results.filter(({ status }) => status === 'passed')
  expect(code).toBe(0)
  expect(run.filter(({ title }) => title.startsWith('CT-')).length).toBeGreaterThan(5)
  expect(run.filter(({ title }) => title.startsWith('CP-')).length).toBeGreaterThan(5)
})

test('a wrong target fails the tests of the checks that detect it, with the message of the check', async () => {
  const url = await simulator('--defect', 'delete.moves-last-into-gap')
  const { code, results } = await conformance(
    { TCK_TARGET: url, TCK_API_KEY: targetKey, TCK_RISK: 'write' },
    '-t',
    'DELETE of the third',
  )
  expect(code).toBe(1)
  const failed = results.filter(({ status }) => status === 'failed')
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.every(isCheck)).toBe(true)
  for (const { failureMessages } of failed) expect(failureMessages.join('\n')).toContain('expected: ')
  expect(failed.flatMap(({ failureMessages }) => failureMessages).join('\n')).toContain('plugin.delete.')
  const { rules } = (await (await fetch(`${url}/api/rules`, { headers: { 'X-API-Key': targetKey } })).json()) as {
    readonly rules: readonly unknown[]
  }
  expect(rules).toHaveLength(1)
})
