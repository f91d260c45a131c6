import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildReport } from './document.ts'
import { reportSchema } from './report.ts'
import { sampleRun } from './sample-run.test-data.ts'

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null

const title = 'Report of a run of copytrade-tck'
const description =
  'Objects may gain members in later versions of the kit: a reader ignores those it does not know. Lists of words (levels, statuses, verdicts) are closed, and so is the table of counts.'
const about = { $id: 'copytrade-tck/report@1', title, description }
const schema = JSON.parse(JSON.stringify({ ...z.toJSONSchema(reportSchema, { io: 'input' }), ...about })) as Json

/** The schema without additional members. The published one allows them, since readers must tolerate additions. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed)
  if (node === null || typeof node !== 'object') return node
  const members = Object.entries(node).map(([name, value]) => [name, closed(value)] as const)
  const closing = node.type === 'object' ? { additionalProperties: false } : {}
  return { ...Object.fromEntries(members), ...closing }
}

function validator(using: Json) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true })
  formats.default(ajv)
  const validate = ajv.compile(using as object)
  return (report: unknown) => (validate(report) ? [] : (validate.errors ?? []).map((error) => error.instancePath))
}

const errorsOf = validator(schema)
const report = JSON.parse(JSON.stringify(buildReport(sampleRun())))
/** A copy of the report after a change that makes it invalid. */
function broken(change: (copy: typeof report) => void) {
  const copy = structuredClone(report)
  change(copy)
  return copy
}

describe('report.schema.json', () => {
  test('is made from the schema; `-u` writes it again', async () => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('./report.schema.json')
  })

  test('accepts what the kit writes, and describes each of its members', () => {
    expect(errorsOf(report)).toEqual([])
    expect(validator(closed(schema))(report)).toEqual([])
  })

  test.each([
    { what: 'without a list of rules', changes: { harm: null } },
    { what: 'without an outcome', changes: { outcomes: [] } },
    {
      what: 'about a target that does not say what it is',
      changes: { target: { kind: 'exec', url: '', plugin: null } },
    },
  ] as const)('accepts a run $what', ({ changes }) => {
    expect(errorsOf(JSON.parse(JSON.stringify(buildReport(sampleRun(1, changes)))))).toEqual([])
  })

  test('accepts a run against a baseline', () => {
    const findings = [{ kind: 'stale', check: 'CT-1', message: 'passes' }]
    const excused = [{ check: 'CT-2', reason: 'known', owner: null, expires: '2026-12-31' }]
    const drifting = {
      question: 'q',
      check: 'CQ-1',
      clause: '5',
      text: 't',
      expected: 'a',
      answer: null,
      message: null,
    }
    const drift = { profile: 'p.yaml', agreeing: 0, unanswered: ['r'], findings: [drifting] }
    expect(validator(closed(schema))(broken((copy) => (copy.drift = drift)))).toEqual([])
    const gated = broken((copy) => (copy.gate = { baseline: 'known.yaml', findings, excused }))
    expect(validator(closed(schema))(gated)).toEqual([])
    gated.gate.findings[0].kind = 'odd'
    expect(errorsOf(gated)).toContain('/gate/findings/0/kind')
  })

  test('accepts a run that judged a platform, alone or not, and one that created accounts on it', () => {
    const accounts = { group: 'demo', most: 3, created: ['one'], uncertain: [] }
    for (const platform of [
      { kind: 'simulator', url: 'http://127.0.0.1:1', risk: 'exclusive', alone: false, accounts: null },
      { kind: 'url', url: 'https://api.example.test', risk: 'write', alone: true, accounts },
      {
        kind: 'url',
        url: 'https://api.example.test',
        risk: 'read',
        alone: true,
        accounts: { ...accounts, group: null },
      },
    ] as const) {
      const judged = JSON.parse(JSON.stringify(buildReport(sampleRun(1, { platform }))))
      expect(validator(closed(schema))(judged)).toEqual([])
    }
    const odd = broken((copy) => (copy.platform = { kind: 'url', url: '', risk: 'write', alone: true, accounts: {} }))
    expect(errorsOf(odd)).toContain('/platform/accounts')
  })

  test('accepts members that a later version may add', () => {
    expect(errorsOf(broken((copy) => Object.assign(copy.requirements[0], { owner: 'team' })))).toEqual([])
  })

  test.each<[string, (copy: typeof report) => void, string]>([
    ['another format', (copy) => (copy.schema = 'copytrade-tck/report@2'), '/schema'],
    ['an unknown verdict', (copy) => (copy.verdict = 'fine'), '/verdict'],
    ['a start that is no time', (copy) => (copy.startedAt = 'yesterdayZ'), '/startedAt'],
    ['a start in local time', (copy) => (copy.startedAt = '2026-03-04T09:15:00+02:00'), '/startedAt'],
    ['a missing verdict', (copy) => delete copy.verdict, ''],
    ['a missing statement', (copy) => delete copy.requirements[0].statement, '/requirements/0'],
    [
      'a status of its own',
      (copy) => (copy.requirements[0].checks[0].status = 'ok'),
      '/requirements/0/checks/0/status',
    ],
    ['a misspelt count', (copy) => (copy.summary.required.pass = 1), '/summary/required'],
    ['a negative count', (copy) => (copy.summary.required.passed = -1), '/summary/required/passed'],
    [
      'a failure without a message',
      (copy) => (copy.requirements[3].checks[0].message = null),
      '/requirements/3/checks/0/message',
    ],
    ['a restored list with differences', (copy) => copy.harm.differences.push('rule 3'), '/harm/differences'],
    [
      'silence without a reason',
      (copy) => (copy.observations[0].exchanges[0].response = null),
      '/observations/0/exchanges/0/failure',
    ],
    [
      'a header without a value',
      (copy) => copy.observations[0].exchanges[0].request.headers[0].pop(),
      '/observations/0/exchanges/0/request/headers/0',
    ],
  ])('rejects %s', (_, change, where) => {
    expect(errorsOf(broken(change))).toContain(where)
  })
})
