import { expect, test } from 'vitest'
import type { Exchange } from '../../suites/client/exchange.ts'
import { NoResponse } from '../../suites/client/response.ts'
import { type DoctorFinding, type Examination, examineAll } from '../target/examination.ts'
import { renderText } from './doctor.ts'

const context = null
const unchanged = (text: string) => text

const found = (state: DoctorFinding['state']) => (): DoctorFinding => ({ state, finding: `found ${state}` })

const tableOf = (...entries: readonly Examination<null>[]) => entries

test('examinations that depend on a problem, directly or not, are skipped and name the problem', async () => {
  const table = tableOf(
    { name: 'name', needs: [], forbids: 'everything', examine: found('problem') },
    { name: 'port', needs: ['name'], forbids: 'everything', examine: found('ok') },
    { name: 'http', needs: ['port'], forbids: 'everything', examine: found('ok') },
    { name: 'clock', needs: [], forbids: 'nothing', examine: found('ok') },
  )
  const { examined, risk } = await examineAll(context, unchanged, table)
  expect(examined.map(({ state }) => state)).toEqual(['problem', 'skipped', 'skipped', 'ok'])
  expect(examined[2]?.finding).toContain('"name"')
  expect(risk).toBeNull()
})

test('an examination that had nothing to look at does not skip others', async () => {
  const table = tableOf(
    { name: 'name', needs: [], forbids: 'everything', examine: found('skipped') },
    { name: 'port', needs: ['name'], forbids: 'everything', examine: found('warning') },
  )
  const { examined, risk } = await examineAll(context, unchanged, table)
  expect(examined.map(({ state }) => state)).toEqual(['skipped', 'warning'])
  expect(risk).toBe('exclusive')
})

test.for([
  { forbids: 'nothing', risk: 'exclusive' },
  { forbids: 'writing', risk: 'read' },
  { forbids: 'everything', risk: null },
] as const)('a problem that forbids $forbids limits the risk to $risk', async ({ forbids, risk }) => {
  const table = tableOf({ name: 'list', needs: [], forbids, examine: found('problem') })
  const diagnosis = await examineAll(context, unchanged, table)
  expect(diagnosis.risk).toBe(risk)
})

test('a missing response is a problem of the target; any other error is one of the kit', async () => {
  const throwing = (error: Error) =>
    tableOf({ name: 'list', needs: [], forbids: 'writing', examine: () => Promise.reject(error) })
  const unanswered = throwing(new NoResponse('no answer to GET', {} as Exchange))
  const { examined } = await examineAll(context, unchanged, unanswered)
  expect(examined[0]).toMatchObject({ state: 'problem', finding: 'no answer to GET' })
  await expect(examineAll(context, unchanged, throwing(new TypeError('oops')))).rejects.toThrow('oops')
})

test('a finding is one line without secrets and without control characters', async () => {
  const result = await examineAll(
    context,
    (line) => line.replaceAll('sesame', '…'),
    tableOf({
      name: 'plugin',
      needs: [],
      forbids: 'nothing',
      examine: () => ({ state: 'ok', finding: 'one\ntwo \u001b[2J sesame', remedy: 'sesame' }),
    }),
  )
  const text = renderText(
    { api: 'plugin', url: '', conclusions: { none: '', read: '', any: '' }, ...result },
    (_colour, line) => line,
  )
  expect(text).toContain('plugin  one two \\u001b[2J … → …\n')
})
