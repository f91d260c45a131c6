import { expect, test } from 'vitest'
import { notRun } from '../../suites/runner/outcome.ts'
import { apis } from '../target/apis.ts'
import { createEarlyEnd } from './run.ts'

const limits = { maxTimeMs: null, bail: null, strict: false }
const failed = (check: string) => ({ ...notRun(check, 'error', ''), status: 'failed' as const })

test('--bail ends a run after the given number of failures that count', () => {
  using early = createEarlyEnd({ ...limits, bail: 2 }, apis, [])
  // CT-821 has the level expected, CT-801 the level required.
  for (const check of ['CT-821', 'CT-801']) early.see(failed(check))
  expect(early.signal.aborted).toBe(false)
  early.see(failed('CT-811'))
  expect(early.signal.reason).toMatchObject({ message: '`--bail 2` is reached' })
})

test('--bail does not count known failures', () => {
  using early = createEarlyEnd({ ...limits, bail: 1 }, apis, ['CT-801'])
  early.see(failed('CT-801'))
  expect(early.signal.aborted).toBe(false)
  early.see(failed('CT-811'))
  expect(early.signal.aborted).toBe(true)
})

test('--max-time ends a run', async () => {
  using early = createEarlyEnd({ ...limits, maxTimeMs: 1 }, apis, [])
  await new Promise((resolve) => early.signal.addEventListener('abort', resolve))
  expect(early.signal.reason).toMatchObject({ message: '`--max-time` is over' })
})
