import { expect, test } from 'vitest'
import type { Exchange } from '../../suites/client/exchange.ts'
import { NoResponse } from '../../suites/client/response.ts'
import { UnreachableError, UsageError } from '../command-error.ts'
import { type DoctorFinding, defineExaminations, type Examination, problem } from '../target/examination.ts'
import { renderText } from './doctor.ts'

const context = { url: '', redact: (text: string) => text }

const found = (state: DoctorFinding['state']) => (): DoctorFinding => ({ state, finding: `found ${state}` })

const tableOf = (...entries: readonly Examination<typeof context>[]) => defineExaminations(() => '', entries)

test('examinations that depend on a problem, directly or not, are skipped and name the problem', async () => {
  const table = tableOf(
    { name: 'name', forbids: 'everything', examine: found('problem') },
    { name: 'port', after: 'name', forbids: 'everything', examine: found('ok') },
    { name: 'http', after: 'port', forbids: 'everything', examine: found('ok') },
    { name: 'clock', forbids: 'nothing', examine: found('ok') },
  )
  const { examined, risk } = await table.examine(context)
  expect(examined.map(({ state }) => state)).toEqual(['problem', 'skipped', 'skipped', 'ok'])
  expect(examined[2]?.finding).toContain('"name"')
  expect(risk).toBeNull()
})

test('an examination that had nothing to look at does not skip others', async () => {
  const table = tableOf(
    { name: 'name', forbids: 'everything', examine: found('skipped') },
    { name: 'port', after: 'name', forbids: 'everything', examine: found('warning') },
  )
  const { examined, risk } = await table.examine(context)
  expect(examined.map(({ state }) => state)).toEqual(['skipped', 'warning'])
  expect(risk).toBe('exclusive')
})

test.for([
  { forbids: 'nothing', risk: 'exclusive' },
  { forbids: 'writing', risk: 'read' },
  { forbids: 'everything', risk: null },
] as const)('a problem that forbids $forbids limits the risk to $risk', async ({ forbids, risk }) => {
  const table = tableOf({ name: 'list', forbids, examine: found('problem') })
  const diagnosis = await table.examine(context)
  expect(diagnosis.risk).toBe(risk)
})

test('a run does the examinations that it begins with, and ends only with the error of a finding', async () => {
  const usage = () => problem('sesame is taken', 'Take another.', UsageError)
  const table = (examine: () => DoctorFinding) =>
    tableOf(
      { name: 'port', forbids: 'everything', examine: () => problem('closed', 'Open it.', UnreachableError) },
      { name: 'plugin', forbids: 'everything', begins: true, examine: found('problem') },
      { name: 'logins', forbids: 'writing', begins: true, examine },
    )
  const secretive = { url: '', redact: (line: string) => line.replaceAll('sesame', '…') }
  await expect(table(found('ok')).require(secretive)).resolves.toBeUndefined()
  const error = await table(usage)
    .require(secretive)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(error).toMatchObject({ message: '… is taken.', hint: 'Take another.' })
})

test('a missing response is a problem of the target; any other error is one of the kit', async () => {
  const throwing = (error: Error) => tableOf({ name: 'list', forbids: 'writing', examine: () => Promise.reject(error) })
  const unanswered = throwing(new NoResponse('no answer to GET', {} as Exchange))
  const { examined } = await unanswered.examine(context)
  expect(examined[0]).toMatchObject({ state: 'problem', finding: 'no answer to GET' })
  await expect(throwing(new TypeError('oops')).examine(context)).rejects.toThrow('oops')
})

test('a finding is one line without secrets and without control characters', async () => {
  const table = tableOf({
    name: 'plugin',
    forbids: 'nothing',
    examine: () => ({ state: 'ok', finding: 'one\ntwo \u001b[2J sesame', remedy: 'sesame' }),
  })
  const result = await table.examine({ url: '', redact: (line) => line.replaceAll('sesame', '…') })
  const text = renderText({ api: 'plugin', ...result }, (_colour, line) => line)
  expect(text).toContain('plugin  one two \\u001b[2J … → …\n')
})
