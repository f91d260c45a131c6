import { expect, test } from 'vitest'
import { type Attempt, confirm, noneBroken } from './confirm.ts'
import { passed } from './outcome.ts'

const silent = (actual: string, ...places: readonly number[]): Attempt => ({
  finding: {
    ...passed,
    status: 'failed',
    code: 'response.missing',
    data: { reason: actual, difference: null },
    message: 'A request was not answered.',
    actual,
  },
  breaks: { places, isLate: false, isKnownHang: false, isReused: false, ofGateway: [] },
  cause: { code: 'response.missing' },
})
const fine: Attempt = { finding: passed, breaks: noneBroken, cause: null }

/** Returns the attempts in order. Fails when there are no more. */
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

test('the same missing response at the same place every time is the fault of the server', async () => {
  const first = silent('to DELETE', 3)
  const { again, left } = attempts(silent('to DELETE', 3), silent('to DELETE', 3), silent('to DELETE', 3))
  expect(await confirm(first, again, { shared: false })).toEqual({
    ...first,
    isSure: true,
  })
  expect(left).toEqual([])
})

test('a missing response of a kind that is known to hang is not repeated', async () => {
  const known = {
    ...silent('to DELETE', 3),
    breaks: { places: [3], isLate: false, isKnownHang: true, isReused: false, ofGateway: [] },
  }
  for (const owned of [true, false]) {
    const { finding, isSure } = await confirm(known, attempts().again, { shared: true, owned })
    expect({ status: finding.status, isSure }).toEqual({ status: 'failed', isSure: true })
  }
})

test('if connections broke at random before, four missing responses prove nothing', async () => {
  const { again, left } = attempts(...Array.from({ length: 5 }, () => silent('to DELETE', 3)), fine)
  const { finding } = await confirm(silent('to DELETE', 3), again, { shared: false, badNetwork: true })
  expect(finding.status).toBe('blocked')
  expect(left).toEqual([])
})

const otherFailure = (): Attempt => {
  const attempt = silent('to DELETE', 3)
  return { ...attempt, cause: { code: 'response.status-not-404' } }
}

test.for([
  { what: 'passes the second time', rest: [fine] },
  { what: 'fails in another way at the same place', rest: [otherFailure()] },
  { what: 'breaks elsewhere', rest: [silent('to GET', 4)] },
  { what: 'breaks once more than before', rest: [silent('to DELETE', 3, 5)] },
  { what: 'passes the last time', rest: [silent('to DELETE', 3), silent('to DELETE', 3), fine] },
])('a check that $what could not be judged', async ({ rest }) => {
  const { again, left } = attempts(...rest)
  const { finding, isSure } = await confirm(silent('to DELETE', 3), again, { shared: false })
  expect(isSure).toBe(false)
  expect(finding.status).toBe('blocked')
  expect(finding.message).toMatch(/the network may be to blame: to DELETE$/)
  expect(left).toEqual([])
})

const failed = (cause: NonNullable<Attempt['cause']>['code'], status: 'failed' | 'blocked' = 'failed'): Attempt => ({
  finding: { ...passed, status, message: 'The list has changed.' },
  breaks: noneBroken,
  cause: { code: cause },
})

test('nothing is repeated without a broken connection, or without a failure', async () => {
  const noise: Attempt = {
    ...fine,
    breaks: { places: [1, 2], isLate: false, isKnownHang: false, isReused: false, ofGateway: [] },
  }
  for (const first of [failed('list.changed'), noise]) {
    expect(await confirm(first, attempts().again, { shared: false })).toEqual({
      ...first,
      isSure: true,
    })
  }
})

test('a failure that another client can cause counts if it occurs three times', async () => {
  const { again, left } = attempts(failed('list.changed'), failed('list.changed'))
  const first = failed('list.changed')
  expect(await confirm(first, again, { shared: true })).toEqual({
    ...first,
    isSure: true,
  })
  expect(left).toEqual([])
})

test.for([[[fine]], [[failed('list.length-wrong')]], [[failed('list.changed'), fine]]])(
  'a check whose list is not wrong in the same way again could not be judged: %j',
  async ([rest = []]) => {
    const { again, left } = attempts(...rest)
    const { finding, isSure } = await confirm(failed('list.changed'), again, { shared: true })
    expect(finding).toMatchObject({ status: 'blocked', message: expect.stringMatching(/another client may have/) })
    expect(isSure).toBe(false)
    expect(left).toEqual([])
  },
)

test('the reason why a check could not be judged is certain only if it happens each time', async () => {
  const first = failed('response.status-not-200', 'blocked')
  expect(await confirm(first, attempts(fine).again, { shared: true })).toEqual({
    ...first,
    isSure: false,
  })
  const { again } = attempts(first, first)
  expect(await confirm(first, again, { shared: true })).toEqual({
    ...first,
    isSure: true,
  })
})

test('a failure that no client can cause is not repeated', async () => {
  const first = failed('rule.value-changed')
  expect(await confirm(first, attempts().again, { shared: true })).toEqual({
    ...first,
    isSure: true,
  })
})

test.for([
  { after: 'POST with mode ""', place: 3, status: 'failed' },
  { after: 'POST with mode true', place: 3, status: 'blocked' },
  { after: 'POST with mode ""', place: 4, status: 'blocked' },
] as const)('a status of a gateway counts if it follows the same step each time: $after, $place', async (last) => {
  const ofGateway = (step: string, place = 3): Attempt => {
    const { finding, ...attempt } = failed('response.status-not-200')
    const data = { after: step, difference: { status: 504 } }
    return { ...attempt, finding: { ...finding, data }, breaks: { ...noneBroken, ofGateway: [place] } }
  }
  const first = ofGateway('POST with mode ""')
  const { again } = attempts(
    ofGateway('POST with mode ""'),
    ofGateway('POST with mode ""'),
    ofGateway(last.after, last.place),
  )
  expect((await confirm(first, again, { shared: true })).finding.status).toBe(last.status)
})

test('a target that is gone ends the repetition', async () => {
  const gone: Attempt = {
    finding: { ...passed, status: 'blocked', stop: 'unreachable' },
    breaks: { places: [1], isLate: false, isKnownHang: false, isReused: false, ofGateway: [] },
    cause: null,
  }
  expect((await confirm(silent('to GET', 1), attempts(gone).again, { shared: false })).finding).toBe(gone.finding)
})

test('an error of the kit in a repetition is not taken for another client', async () => {
  const error: Attempt = { finding: { ...passed, status: 'error' }, breaks: noneBroken, cause: null }
  expect((await confirm(silent('to GET', 1), attempts(error).again, { shared: true })).finding).toBe(error.finding)
})

const late = (
  cause: NonNullable<Attempt['cause']>['code'] = 'response.missing',
  status: 'failed' | 'blocked' = 'failed',
) => ({
  ...failed(cause, status),
  breaks: { places: [1], isLate: true, isKnownHang: false, isReused: false, ofGateway: [] },
})

test('a late response of a server of the kit counts if it occurs again', async () => {
  const first = late()
  const { again, left } = attempts(late())
  expect(await confirm(first, again, { shared: true, owned: true })).toEqual({
    ...first,
    isSure: true,
  })
  expect(left).toEqual([])
})

test.for([
  { what: 'passes', next: fine },
  { what: 'is late elsewhere', next: late('list.changed') },
])('a check that was late on a server of the kit and then $what could not be judged', async ({ next }) => {
  const { finding, isSure } = await confirm(late(), attempts(next).again, { shared: true, owned: true })
  expect(finding).toMatchObject({ status: 'blocked', message: expect.stringMatching(/no response in time/) })
  expect(isSure).toBe(false)
})

test('a failure without a late response counts after one with a late response', async () => {
  const next = failed('response.status-not-404')
  expect(await confirm(late(), attempts(next).again, { shared: true, owned: true })).toEqual({
    ...next,
    isSure: true,
  })
})

test('a check that was not judged because of a late response is not certain unless it occurs again', async () => {
  const first = late('response.missing', 'blocked')
  const confirmed = await confirm(first, attempts(fine).again, { shared: false, owned: true })
  expect(confirmed).toEqual({ ...first, isSure: false })
})

test.for([silent('to DELETE', 3), failed('list.changed')])(
  'on a server of the kit nothing else is repeated: %j',
  async (first) => {
    const confirmed = await confirm(first, attempts().again, { shared: true, owned: true })
    expect(confirmed).toEqual({ ...first, isSure: true })
  },
)
