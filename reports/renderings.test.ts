import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { buildReport } from './document.ts'
import { renderHar } from './har.ts'
import { renderHtml } from './html/page.tsx'
import { renderJunit } from './junit.ts'
import { plain } from './paint.ts'
import type { ReportedRequirement } from './report.ts'
import { checks, exchangeMaker, failed, sampleRun } from './sample-run.test-data.ts'
import { renderSummary } from './summary.ts'
import { renderDiagnosis, renderEnd, renderVerdictAlone, renderWholeEnd } from './terminal.ts'

const hostile =
  '<script>alert(1)</script> & ]]> | @team `x` \u0000\u001b[2J\ud800\u202e\u2066\u009b\u2028 "quoted" \'too\''

/** A target that sends markup and control characters wherever it can. */
function hostileRun() {
  const [exchange] = exchangeMaker(1)(1)
  if (exchange === undefined) throw new Error('no exchange was made')
  const response = { status: 200, headers: [['X-Odd', hostile]] as const, body: `{"error":${JSON.stringify(hostile)}}` }
  const silent = { ...exchange, id: 'x2', response: null, failure: hostile }
  const outcome = { message: hostile, expected: hostile, actual: hostile, curl: `curl ${hostile}` }
  return sampleRun(1, {
    target: { kind: 'url', url: `http://host/${hostile}`, plugin: { name: hostile, version: hostile } },
    outcomes: [
      { ...failed('CT-106', [{ ...exchange, response }, silent]), ...outcome },
      { ...failed('CT-700', [silent]), status: 'passed', answer: null, message: hostile },
    ],
    harm: {
      rulesBefore: 1,
      rulesAfter: 2,
      hashBefore: 'a',
      hashAfter: 'b',
      restored: false,
      differences: [hostile],
      interference: [],
      unreachable: false,
    },
  })
}

const report = buildReport(sampleRun())
const hostileReport = buildReport(hostileRun())

describe('junit.xml', () => {
  type Parsed = { testsuites: { '@tests': string; '@failures': string; '@errors': string } }
  const parse = (xml: string) => create(xml).end({ format: 'object' }) as unknown as Parsed

  test('has a case for each check and counts them by status', () => {
    const judging = checks.filter((check) => check.requirement !== undefined)
    const totals = { '@tests': String(judging.length), '@failures': '3', '@errors': '3' }
    expect(parse(renderJunit(report)).testsuites).toMatchObject(totals)
  })

  test('has a suite for each level', () => {
    const names = Array.from(renderJunit(report).matchAll(/<testsuite name="([^"]*)"/g), ([, name]) => name)
    expect(names).toEqual(['required', 'expected', 'robustness'])
  })

  test('stays valid XML whatever the target sends', () => {
    const xml = renderJunit(hostileReport)
    expect(xml).not.toMatch(/<script/)
    expect(JSON.stringify(parse(xml))).toContain('\\\\u0000\\\\u001b[2J\\\\ud800\\\\u202e')
  })
})

describe('exchanges.har', () => {
  const log = (text: string) => JSON.parse(text).log

  test('is a HAR 1.2 with one entry per exchange, in the order of sending', () => {
    const { version, creator, entries } = log(renderHar(report))
    expect({ version, creator }).toEqual({ version: '1.2', creator: { name: 'copytrade-tck', version: '0.1.0' } })
    const ids = entries.map((entry: { _exchange: string }) => Number(entry._exchange.slice(1)))
    expect(ids).toEqual([...new Set<number>(ids)].sort((a, b) => a - b))
    for (const entry of entries) {
      const { send, wait, receive } = entry.timings
      expect(entry).toMatchObject({
        startedDateTime: expect.stringMatching(/Z$/),
        cache: {},
        time: send + wait + receive,
      })
      expect(entry.request).toMatchObject({ httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 })
      expect(entry.response.content.size).toBe(Buffer.byteLength(entry.response.content.text))
    }
  })

  test('lists an exchange that two checks share once, with both', () => {
    const shared = exchangeMaker(3)(1)
    const outcomes = [failed('CT-106', shared), failed('CT-107', structuredClone(shared))]
    const { entries } = log(renderHar(buildReport(sampleRun(1, { outcomes }))))
    expect(entries).toHaveLength(1)
    expect(entries[0]._checks).toEqual(['CT-106', 'CT-107'])
  })

  test('gives an exchange without a response the status 0 and a comment', () => {
    const unanswered = log(renderHar(hostileReport)).entries.at(-1)
    expect(unanswered.response).toMatchObject({ status: 0, comment: hostile, bodySize: -1 })
  })
})

describe('summary.md', () => {
  test('has the verdict, what was judged, the counts and changes, then failures before findings', () => {
    const headings = Array.from(renderSummary(report).matchAll(/^##? (.*)$/gm), ([, title]) => title)
    expect(headings).toEqual([
      'Compatibility: non-conformant',
      'What was judged',
      'Requirements by level',
      'What happened to the list',
      'Failed',
      'Findings',
      'Could not be judged',
      'Out of scope, or not applicable',
      'Answers that differ from the default',
    ])
    expect(renderSummary(report)).toContain('| passed | 5 |')
    expect(renderSummary(report)).toContain('0 of 14 rules changed.')
  })

  test('shows Markdown and HTML of the target as text', () => {
    const prose = renderSummary(hostileReport)
      .replace(/^(`{3,}).*?^\1$/gms, '')
      .replace(/(`+)[^`].*?\1/g, '')
    expect(prose).toContain('\\<script\\>alert(1)\\</script\\> \\& \\]\\]\\>')
    expect(prose).not.toMatch(/(?<!\\)<script|@team/)
  })
})

describe('report.html', () => {
  /** What a browser without scripts shows. */
  const staticPart = (page: string) => page.replace(/<(style|script)\b.*?<\/\1>/gs, '')
  const embedded = (page: string) =>
    gunzipSync(Buffer.from(/id="data">([^<]*)</.exec(page)?.[1] ?? '', 'base64')).toString()

  test('contains no markup of the target and loads nothing', () => {
    const page = staticPart(renderHtml(hostileReport))
    expect(page).not.toMatch(/<(script|link|img|iframe|object)|url\(|@import/i)
    expect(page).toContain('&lt;script>alert(1)&lt;/script> &amp; ]]>')
    expect(page).toContain("&quot;quoted&quot; 'too'")
    expect(page).not.toMatch(/[^\P{Cc}\n\t]|[\u202e\ud800]/u)
  })

  test('contains the whole report, with all control characters of the target escaped', () => {
    expect(JSON.parse(embedded(renderHtml(report)))).toEqual(report)
    const { requirements } = JSON.parse(embedded(renderHtml(hostileReport)))
    expect(JSON.stringify(requirements)).toContain('\\\\u001b[2J\\\\ud800\\\\u202e')
    expect(JSON.stringify(requirements)).not.toMatch(/[\u202e\u009b]/)
  })

  test('shows the verdict and the failures without scripts', () => {
    const page = staticPart(renderHtml(report))
    expect(page).toContain('1 required requirement failed')
    expect(page).toMatch(/>CT-106<.*<br\/>The follower of rule 1 should be 2003/)
  })

  test('names every id once', () => {
    const ids = Array.from(staticPart(renderHtml(report)).matchAll(/ id="([^"]*)"/g), ([, id]) => id)
    expect(ids).toHaveLength(new Set(ids).size)
  })

  test('stays below 500 KB with 300 checks and 5,000 exchanges', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      id: `CT-${index}`,
      title: 'looks',
      requirement: 'plugin.add.index',
    }))
    const exchanges = exchangeMaker(5)
    const outcomes = many.map(({ id }) => failed(id, exchanges(17)))
    const page = renderHtml(buildReport(sampleRun(1, { checks: many, outcomes })))
    expect(Buffer.byteLength(page)).toBeLessThan(500_000)
  })
})

describe('a run against a baseline', () => {
  const findings = [{ kind: 'stale', check: 'CT-100', message: `passes ${hostile}` }] as const
  const excused = [{ check: 'CT-106', reason: hostile, owner: 'core', expires: '2026-12-31' }]
  const gated = { ...report, gate: { baseline: 'known.yaml', findings, excused } }

  test('is shown in the terminal, with the differences before the counts', () => {
    const text = renderEnd(gated, plain)
    expect(text).toMatch(/^Baseline\n {2}stale CT-100 \(message passes .*\n {2}known CT-106 \(reason /m)
    expect(text).toContain('\n1 known failure (known.yaml), 1 deviation: 1 stale\nnon-conformant ')
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202e\ud800]/u)
  })

  test('has no known failure among the failures that count, which could hide them on one screen', () => {
    expect(renderEnd(report, plain)).toMatch(/^FAILED .*\n {2}CT-106 /m)
    expect(renderEnd(gated, plain)).not.toContain('FAILED')
    expect(renderWholeEnd(gated, plain)).toContain('FAILED')
  })

  test('is shown with the verdict alone, since the exit code depends on it', () => {
    expect(renderVerdictAlone(gated, plain)).toMatch(
      /^1 known failure \(known\.yaml\), 1 deviation: 1 stale\nnon-conformant /,
    )
  })

  test('is shown literally in the summary and on the page', () => {
    const summary = renderSummary(gated)
    expect(summary).toContain('## Baseline\n\n1 known failure (known.yaml), 1 deviation: 1 stale.')
    expect(summary).toMatch(/^\| known CT-106 \| \\<script\\>.* \| core, until 2026-12-31 \|$/m)
    expect(renderHtml(gated)).toContain('1 known failure (known.yaml), 1 deviation: 1 stale.')
  })
})

describe('a run against a profile', () => {
  const finding = { question: 'plugin.index.base', check: 'CQ-401', clause: '2.3', text: 'Which index?' }
  const findings = [
    { ...finding, expected: '0', answer: '1', message: hostile },
    { ...finding, expected: '0', answer: null, message: 'the index 7' },
  ]
  const drifted = { ...report, drift: { profile: 'p.yaml', agreeing: 3, unanswered: ['a'], findings } }

  test('is shown in the terminal, the summary and the page', () => {
    const line = '2 of 5 answers drifted from the profile (p.yaml); 1 more could not be compared'
    const text = renderEnd(drifted, plain)
    expect(text).toMatch(
      /^Drift from the profile\n {2}Which index\? plugin\.index\.base \(profile 0, observed 1, meaning .*\)$/m,
    )
    expect(text).toContain(`${line}\n`)
    expect(renderSummary(drifted)).toMatch(
      /## Drift from the profile\n\n2 of 5 answers drifted from .*\n\n.*\n.*\n\| Which index\? .* \| 0 \| 1 \|/,
    )
    expect(renderHtml(drifted)).toContain(`${line}.`)
  })

  test('says whether drift counts', () => {
    const strict = { ...drifted, scope: { ...drifted.scope, strict: true } }
    expect(renderEnd(strict, plain)).toContain('(p.yaml), which counts with --strict')
  })

  test('has a failure in junit.xml for each answer that drifted', () => {
    const xml = renderJunit(drifted)
    expect(xml.match(/type="drift"/g)).toHaveLength(2)
    const count = (text: string) => Number(/ failures="(\d+)"/.exec(text)?.[1])
    expect(count(xml)).toBe(count(renderJunit(report)) + 2)
  })
})

describe('the end of a run in the terminal', () => {
  const [failure] = report.requirements.filter(({ id }) => id === 'plugin.delete.keeps-order')
  const several = (count: number, changes: object = {}) =>
    Array.from(
      { length: count },
      (_, at) => ({ ...failure, id: `plugin.many.${at}`, ...changes }) as ReportedRequirement,
    )

  test('starts with the failures and ends with the counts by level, the verdict and the changes', () => {
    const lines = renderEnd(report, plain).trimEnd().split('\n')
    expect(lines[0]).toBe('FAILED plugin.delete.keeps-order clause 4.2 rule 2, required')
    expect(lines).toContain('    reproduce   curl -sS -H "X-API-Key: $TCK_API_KEY" \'http://127.0.0.1:8443/api/rules\'')
    expect(lines.slice(-4)).toEqual([
      '9 required requirements: 1 failed, 1 blocked, 5 passed, 1 out of scope, 1 not applicable',
      '1 expected requirement: 1 failed',
      '2 robustness requirements: 1 failed, 1 internal error',
      'non-conformant 1 required requirement failed: plugin.delete.keeps-order. (0 of 14 rules changed)',
    ])
  })

  test('fits on one screen however much failed, and shows everything with --verbose', () => {
    const findings = several(20, { level: 'expected' })
    const many = { ...report, requirements: [...report.requirements, ...several(30), ...findings] }
    const text = renderEnd(many, plain)
    expect(text.split('\n').length).toBeLessThanOrEqual(39)
    expect(text).toMatch(/^and 2\d more failed: see the report, or add --verbose$/m)
    const whole = renderWholeEnd(many, plain)
    for (const { id } of [...several(30), ...findings]) expect(whole).toContain(id)
    expect(whole).not.toContain('see the report')
  })

  test('has both sides behind the message if each of them is one line', () => {
    const sided = (expected: string) => (one: ReportedRequirement) => ({
      ...one,
      checks: one.checks.map((check) => ({ ...check, message: 'The status is wrong.', expected, actual: '201' })),
    })
    const end = (expected: string) => renderEnd({ ...report, requirements: several(1).map(sided(expected)) }, plain)
    expect(end('401')).toContain('message     The status is wrong. Expected: 401; actual: 201.\n')
    expect(end('4\n1')).toContain('message     The status is wrong.\n')
  })

  test('names the command to run if the kit has ended the server', () => {
    const text = renderEnd({ ...report, target: { ...report.target, kind: 'exec' } }, plain)
    expect(text).toContain('reproduce   the same command with --only CT-106 --seed 20260304')
  })

  test('has the request of a platform that still runs, even if the kit has ended the other server', () => {
    const [{ checks = [] } = {}] = several(1)
    const base = /https?:\/\/[^/']+/.exec(checks[0]?.curl ?? '')?.[0] ?? ''
    const platform = { kind: 'url', url: base, risk: 'read', alone: false, accounts: null } as const
    const text = renderEnd({ ...report, platform, target: { ...report.target, kind: 'exec' } }, plain)
    expect(text).toContain('reproduce   curl -sS')
  })

  test('names the command to run if a single request does not show the failure', () => {
    const alone = (one: ReportedRequirement) => ({
      ...one,
      checks: one.checks.map((check) => ({ ...check, curl: 'one\ntwo' })),
    })
    const text = renderEnd({ ...report, requirements: several(1).map(alone) }, plain)
    expect(text).toContain('reproduce   the same command with --only CT-106 --seed 20260304')
  })

  test('is followed by the diagnosis, without control characters', () => {
    const fault = {
      ...{
        defects: ['total'],
        summaries: ['The total\u001b is wrong.'],
        reenacted: true,
        confirmed: true,
        explains: ['CT-106'],
      },
      ...{ unexplained: [], alternatives: [], besides: [], passing: 3, score: 1 },
    }
    const text = renderDiagnosis({ ...report, diagnosis: [fault] }, null)
    expect(text).toMatch(
      /^Confirmed: a simulator with this fault .+ passes 3 others\.\n {2}The total.+`total`\): CT-106\n\n$/,
    )
    expect(text).not.toContain('\u001b')
    const cutShort = renderDiagnosis({ ...report, diagnosis: [fault] }, 10_000)
    expect(cutShort).toMatch(
      /\nThe search ended after 10 s before it was complete\. `--diagnose 60` gives it more time\.\n\n$/,
    )
  })

  test('sends no control character of the target to the terminal', () => {
    for (const render of [renderEnd, renderWholeEnd]) {
      expect(render(hostileReport, plain)).not.toMatch(/[^\P{Cc}\n]|[\u202e\ud800]/u)
    }
  })

  test('uses colours only through the given painter', () => {
    for (const render of [renderEnd, renderWholeEnd]) {
      const marked = render(report, (colour, text) => `<${colour}>${text}</>`)
      expect(marked.replace(/<(bold|cyan|dim|green|red|yellow)>|<\/>/g, '')).toBe(render(report, plain))
      expect(marked).toContain('<red>FAILED</>')
    }
  })
})
