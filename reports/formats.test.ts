import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { validate as validateCtrf } from 'ctrf'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { type IncompleteRunError, renderBadge } from './badge.ts'
import { renderCtrf } from './ctrf.ts'
import { buildReport } from './document.ts'
import { renderHar } from './har.ts'
import { renderJunit } from './junit.ts'
import { exchangeMaker, failed, passed, sampleRun, stoppedAtEnd } from './sample-run.test-data.ts'

const require = createRequire(import.meta.url)

const hostile = '<b> & ]]> \u0000\u001b[2J\ud800\u202e "q" \'s\''
const exchanges = exchangeMaker(1)(12).map((one) => ({ ...one, response: { status: 200, headers: [], body: hostile } }))
const hostileFailure = { ...failed('CT-106', exchanges), message: hostile, actual: hostile, curl: hostile }
const reports = [
  buildReport(sampleRun()),
  buildReport(sampleRun(1, { outcomes: [] })),
  buildReport(sampleRun(1, { outcomes: [hostileFailure], target: { kind: 'exec', url: hostile, plugin: null } })),
]
const [report, , hostileReport] = reports as [(typeof reports)[0], (typeof reports)[0], (typeof reports)[0]]

describe('CTRF', () => {
  test('follows its published schema', () => {
    for (const one of reports) expect(validateCtrf(JSON.parse(renderCtrf(one)))).toMatchObject({ valid: true })
  })

  test('counts checks that could not be judged as neither passed nor failed', () => {
    const { summary, tests } = JSON.parse(renderCtrf(report)).results
    expect(summary).toMatchObject({ tests: 24, passed: 14, failed: 3, skipped: 4, other: 3, pending: 0 })
    const failure = tests.find(({ testId }: { testId: string }) => testId === 'CT-106')
    expect(failure).toMatchObject({ rawStatus: 'failed', snippet: expect.stringContaining('curl') })
  })
})

test('CTRF has a failed test for each answer that drifted', () => {
  const finding = { question: 'plugin.index.base', check: 'CQ-401', clause: '2.3', text: 'Which index?' }
  const findings = [{ ...finding, expected: '0', answer: '1', message: null }]
  const drifted = renderCtrf({ ...report, drift: { profile: 'p.yaml', agreeing: 3, unanswered: [], findings } })
  expect(validateCtrf(JSON.parse(drifted))).toMatchObject({ valid: true })
  const { summary, tests } = JSON.parse(drifted).results
  expect(summary).toMatchObject({ tests: 25, passed: 14, failed: 4 })
  expect(tests.at(-1)).toMatchObject({ name: 'CQ-401 Which index?', message: 'profile: 0, observed: 1' })
})

test('the HAR file follows the schema of HAR 1.2', () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'))
  ajv.addSchema(Object.values(require('har-schema')))
  for (const one of reports) {
    ajv.validate('har.json#', JSON.parse(renderHar(one)))
    expect(ajv.errors).toBeNull()
  }
})

/**
 * The rules of `junit-10.xsd` of Jenkins' xUnit plugin: the attributes (`!` means required) and the children of each
 * element.
 */
const junitRules: Readonly<Record<string, { readonly attributes: string; readonly children: string }>> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes: 'name! tests! failures! errors! group time skipped timestamp hostname id package file log url',
    children: 'testsuite properties testcase system-out system-err',
  },
  properties: { attributes: '', children: 'property' },
  property: { attributes: 'name! value!', children: '' },
  testcase: { attributes: 'name! time classname group', children: 'skipped error failure system-out system-err' },
  failure: { attributes: 'type message', children: '' },
  error: { attributes: 'type message', children: '' },
  skipped: { attributes: 'type message', children: '' },
  'system-out': { attributes: '', children: '' },
}

interface XmlElement {
  readonly nodeType: number
  readonly tagName: string
  readonly attributes: Iterable<{ readonly name: string }>
  readonly childNodes: Iterable<XmlElement>
  getAttribute(name: string): string | null
}

function violations(node: XmlElement): readonly string[] {
  const rule = junitRules[node.tagName] ?? { attributes: '', children: '' }
  const allowed = rule.attributes.split(' ').map((name) => name.replace('!', ''))
  const required = rule.attributes.split(' ').flatMap((name) => (name.endsWith('!') ? name.slice(0, -1) : []))
  const children = Array.from(node.childNodes).filter(({ nodeType }) => nodeType === 1)
  return [
    ...Array.from(node.attributes, ({ name }) => name).filter((name) => !allowed.includes(name)),
    ...required.filter((name) => node.getAttribute(name) === null),
    ...children.filter(({ tagName }) => !rule.children.split(' ').includes(tagName)).map(({ tagName }) => tagName),
    ...(/^\d*(\.\d*)?$/.test(node.getAttribute('time') ?? '') ? [] : ['time']),
    ...children.flatMap(violations),
  ]
}

describe('junit.xml', () => {
  test('follows the schema of Jenkins', () => {
    for (const one of reports) {
      const root = create(renderJunit(one)).root().node as unknown as XmlElement
      expect(root.tagName).toBe('testsuites')
      expect(violations(root)).toEqual([])
    }
  })

  test('has the last exchanges of a failure in system-out, and how many are not shown', () => {
    const out = /<system-out>(.*?)<\/system-out>/s.exec(renderJunit(hostileReport))?.[1] ?? ''
    expect(out).toMatch(/^2 earlier exchanges not shown\n\nx3: \w+ http/)
    expect(out).toContain('\nX-API-Key: [redacted]\n')
    expect(out).toContain(String.raw`&lt;b&gt; &amp; ]]&gt; \u0000\u001b[2J\ud800\u202e`)
  })
})

describe('a run that did not succeed, and in which no check failed', () => {
  const allPass = sampleRun().checks.map(({ id, question }) =>
    question === undefined ? passed(id) : { ...passed(id), status: 'blocked' as const, message: 'too busy' },
  )
  const withoutQuestions = allPass.filter(({ status }) => status === 'passed')
  const complete = { ...sampleRun().scope, complete: true }
  const gate = { baseline: 'k.yaml', findings: [{ kind: 'stale', check: 'CT-100', message: 'passes' }], excused: [] }
  const runs = [
    [
      'died at the end',
      buildReport(sampleRun(1, { outcomes: withoutQuestions, ...stoppedAtEnd })),
      'no longer responds',
    ],
    [
      'was not complete',
      buildReport(sampleRun(1, { outcomes: withoutQuestions.slice(1), scope: complete })),
      'complete',
    ],
    ['has a stale baseline', { ...buildReport(sampleRun(1, { outcomes: withoutQuestions })), gate }, '1 stale'],
    ['could not answer questions', buildReport(sampleRun(1, { outcomes: allPass })), 'could not be judged'],
  ] as [string, typeof report, string][]

  test.each(runs)('has a failure in junit.xml and CTRF that says why: it %s', (_, run, reason) => {
    const xml = create(renderJunit(run)).root().node as unknown as XmlElement
    expect(violations(xml)).toEqual([])
    expect(xml.getAttribute('failures')).toBe('1')
    expect(renderJunit(run)).toMatch(new RegExp(`<testcase name="run[^>]*>\\s*<failure message="[^"]*${reason}`))
    const ctrf = JSON.parse(renderCtrf(run))
    expect(validateCtrf(ctrf)).toMatchObject({ valid: true })
    const failures = ctrf.results.tests.filter(({ status }: { status: string }) => status === 'failed')
    expect(failures).toMatchObject([{ suite: ['run'], message: expect.stringContaining(reason) }])
  })

  test('lists each question that could not be answered', () => {
    const [, , , [, run]] = runs as [unknown, unknown, unknown, (typeof runs)[0]]
    const questions = run.observations.length
    expect(questions).toBeGreaterThan(0)
    expect(renderJunit(run).match(/<error message="too busy" type="blocked"/g)).toHaveLength(questions)
    expect(JSON.parse(renderCtrf(run)).results.summary).toMatchObject({ failed: 1, other: questions })
  })

  test('has no such case if it succeeded', () => {
    expect(renderJunit(buildReport(sampleRun(1, { outcomes: withoutQuestions })))).not.toContain('name="run')
  })
})

describe('the badge', () => {
  const whole = (changes = {}) => {
    const { checks } = sampleRun()
    return buildReport(sampleRun(1, { outcomes: checks.map(({ id }) => passed(id)).filter(isOfCheck), ...changes }))
  }
  const isOfCheck = ({ check }: { readonly check: string }) => Number(check.slice(3)) < 700

  const hintOf = (incomplete: typeof report) => {
    try {
      return renderBadge(incomplete)
    } catch (error) {
      return (error as IncompleteRunError).hint
    }
  }

  test('shows the verdict of a complete run', () => {
    const svg = renderBadge(whole())
    expect(create(svg).root().node.textContent).toContain('conformant')
    const { checks } = sampleRun()
    const outcomes = checks.filter(({ question }) => question === undefined).map(({ id }) => passed(id))
    expect(renderBadge(whole({ outcomes: [...outcomes.slice(1), failed('CT-100')] }))).toContain('non-conformant')
  })

  test('is not rendered for a run that left something out', () => {
    expect(() => renderBadge(report)).toThrow('needs a complete run')
    expect(() => renderBadge(whole({ scope: { ...sampleRun().scope, only: ['plugin.*'] } }))).toThrow('complete run')
    expect(hintOf(report)).toMatch(/^Not judged: .*needs the capability rules-file/m)
    expect(hintOf(report)).not.toContain('--only')
  })

  test('is red for a run of a conformant server that failed for another reason', () => {
    const { harm } = sampleRun()
    const lost = { ...(harm as NonNullable<typeof harm>), rulesAfter: 13, restored: false }
    const findings = [{ kind: 'stale' as const, check: 'CT-100', message: 'passes' }]
    const gate = { baseline: 'known.yaml', findings, excused: [] }
    for (const failing of [whole({ harm: lost }), { ...whole(), gate }]) {
      expect(renderBadge(failing)).toMatch(/<title>copytrade-tck: failed<.*#b3261e/s)
    }
    expect(renderBadge({ ...whole(), gate: { ...gate, findings: [] } })).toContain('>copytrade-tck: conformant<')
    expect(renderBadge(whole(stoppedAtEnd))).toContain('>copytrade-tck: non-conformant<')
  })
})
