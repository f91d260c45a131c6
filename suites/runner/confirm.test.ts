import { expect, test } from 'vitest'
import { type Attempt, confirm } from './confirm.ts'
import { passed } from './outcome.ts'

const silent = (actual: string, ...breaks: readonly number[]): Attempt => ({
  finding: {
    ...passed,
    status: 'failed',
    code: 'response.missing',
    data: { reason: actual, difference: null },
    message: 'A request was not answered.',
    actual,
  },
  breaks,
})
const fine: Attempt = { finding: passed, breaks: [] }

/** Attempts in their order; fails when there are no more. */
function attempts(...rest: Attempt[]) {
  const left = [...rest]
  return {
    left,
    again: async () => {
      const next = left.shift()
      if (next === undefined) throw new Error('one attempt too many')
      return next
    },
  }
}

test('the same silence at the same place every time is the fault of the server', async () => {
  const first = silent('to DELETE', 3)
  const { again, left } = attempts(silent('to DELETE', 3), silent('to DELETE', 3), silent('to DELETE', 3))
  expect(await confirm(first, again)).toBe(first.finding)
  expect(left).toEqual([])
})

const otherFailure = (): Attempt => {
  const attempt = silent('to DELETE', 3)
  return { ...attempt, finding: { ...attempt.finding, code: 'response.status-not-404' } }
}

test.for([
  { what: 'passes the second time', rest: [fine] },
  { what: 'fails in another way at the same place', rest: [otherFailure()] },
  { what: 'breaks elsewhere', rest: [silent('to GET', 4)] },
  { what: 'breaks once more than before', rest: [silent('to DELETE', 3, 5)] },
  { what: 'passes the last time', rest: [silent('to DELETE', 3), silent('to DELETE', 3), fine] },
])('a check that $what could not be judged', async ({ rest }) => {
  const { again, left } = attempts(...rest)
  const finding = await confirm(silent('to DELETE', 3), again)
  expect(finding.status).toBe('blocked')
  expect(finding.message).toMatch(/the network may be to blame: to DELETE$/)
  expect(left).toEqual([])
})

test('nothing is repeated without a broken connection, or without a failure', async () => {
  const failed: Attempt = { finding: { ...passed, status: 'failed', code: 'response.status-not-404' }, breaks: [] }
  const noise: Attempt = { finding: passed, breaks: [1, 2] }
  expect(await confirm(failed, attempts().again)).toBe(failed.finding)
  expect(await confirm(noise, attempts().again)).toBe(noise.finding)
})

test('a target that is gone meanwhile ends it', async () => {
  const gone: Attempt = { finding: { ...passed, status: 'blocked', stop: 'unreachable' }, breaks: [1] }
  expect(await confirm(silent('to GET', 1), attempts(gone).again)).toBe(gone.finding)
})
