import { createHash } from 'node:crypto'
import { pluginQuestions } from '../spec/plugin/questions.ts'
import type { Question } from '../spec/question.ts'
import type { Exchange } from '../suites/client/exchange.ts'
import type { Outcome } from '../suites/runner/outcome.ts'
import type { CheckEntry, RunRecord } from './document.ts'
import { requirements } from './sample-requirements.test-data.ts'

/** Numbers in [0, 1) that depend only on the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const target = 'http://127.0.0.1:8443'
const startedAt = Date.parse('2026-03-04T09:15:00.000Z')

/** Two checks for each requirement, then one for each question. */
export const checks: readonly CheckEntry[] = [
  ...requirements.flatMap(({ id, statement }, index): CheckEntry[] => [
    { id: `CT-${100 + index * 2}`, title: statement, requirement: id },
    { id: `CT-${101 + index * 2}`, title: `The same after the list was changed by somebody else`, requirement: id },
  ]),
  ...pluginQuestions.map(({ id, question }, index) => ({ id: `CT-${700 + index}`, title: question, question: id })),
]

/** The outcome of a passed check. */
export function passed(check: string, exchanges: readonly Exchange[] = []): Outcome {
  const nothing = {
    code: null,
    data: null,
    message: null,
    expected: null,
    actual: null,
    curl: null,
    answer: null,
    stop: null,
  }
  return { check, status: 'passed', durationMs: 12, ...nothing, exchanges, exchangesOmitted: 0 }
}

/** The outcome of a failed check. */
export function failed(check: string, exchanges: readonly Exchange[] = []): Outcome {
  return {
    ...passed(check, exchanges),
    status: 'failed',
    code: 'list.other-removed',
    data: { expected: [2003], actual: [2004], difference: { items: 'other', length: 'same', shapes: ['number'] } },
    message: 'The follower of rule 1 should be 2003 after rule 1 was deleted',
    expected:
      '[\n  { "index": 0, "master": 1001, "follower": 2001 },\n  { "index": 1, "master": 1001, "follower": 2003 }\n]',
    actual:
      '[\n  { "index": 0, "master": 1001, "follower": 2001 },\n  { "index": 1, "master": 1001, "follower": 2004 }\n]',
    curl: `curl -sS -H "X-API-Key: $TCK_API_KEY" '${target}/api/rules'`,
  }
}

const rule = (index: number) =>
  `{"index":${index},"master":${1001 + index},"follower":9007199254740993,"mode":"mult","value":1.50,"direction":"same"}`

/** Exchanges with a target. About one in fifty gets no response. */
export function exchangeMaker(seed: number): (count: number) => Exchange[] {
  const random = randomFrom(seed)
  let sent = 0
  const make = (): Exchange => {
    sent += 1
    const post = random() < 0.4
    const silent = random() < 0.02
    const rules = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index) => rule(index))
    const body = post
      ? '{"success":true,"index":3,"master":1001,"follower":2001}'
      : `{"rules":[${rules}],"total":${rules.length}}`
    const type = ['Content-Type', 'application/json'] as const
    return {
      id: `x${sent}`,
      startedAt: new Date(startedAt + sent * 7).toISOString(),
      durationMs: Math.round(random() * 40_000) / 1000,
      request: {
        method: post ? 'POST' : 'GET',
        url: `${target}/api/rules${random() < 0.1 ? '?page=2&sort=%20a' : ''}`,
        headers: [['Host', '127.0.0.1:8443'], ['X-API-Key', '[redacted]'], ...(post ? [type] : [])],
        body: post ? '{"master":1001,"follower":2001,"mode":"mult","value":1.5,"direction":"same"}' : null,
      },
      response: silent
        ? null
        : {
            status: post ? 201 : 200,
            headers: [type, ['Date', 'Wed, 04 Mar 2026 09:15:00 GMT'], ['Content-Length', String(body.length)]],
            body,
          },
      failure: silent ? 'socket hang up (ECONNRESET)' : null,
    }
  }
  return (count) => Array.from({ length: count }, make)
}

function observe(check: string, answer: string, exchanges: readonly Exchange[]): Outcome {
  return { ...passed(check, exchanges), answer }
}

/** A run with every status, drift from the defaults, and exchanges. The same seed gives the same run. */
export function sampleRun(seed = 20_260_304, changes: Partial<RunRecord> = {}): RunRecord {
  const random = randomFrom(seed)
  const exchanges = exchangeMaker(seed)
  const odd: Record<string, Partial<Outcome>> = {
    'CT-106': failed('CT-106'),
    'CT-113': failed('CT-113'),
    'CT-120': { ...failed('CT-120'), message: 'A body that is cut off should be answered with 400' },
    'CT-110': { status: 'blocked', message: 'CT-106 failed: indices of this target cannot be relied on' },
    'CT-111': { status: 'blocked', message: 'CT-106 failed: indices of this target cannot be relied on' },
    'CT-122': { status: 'error', message: "TypeError: Cannot read properties of undefined (reading 'rules')" },
    'CT-116': { status: 'out-of-scope', message: 'needs the capability rules-file, which this target does not have' },
    'CT-117': { status: 'out-of-scope', message: 'needs the capability rules-file, which this target does not have' },
    'CT-118': { status: 'not-applicable', message: 'the target reports no capacity' },
    'CT-119': { status: 'not-applicable', message: 'the target reports no capacity' },
  }
  const outcomes = checks.map(({ id, question }): Outcome => {
    const durationsMs = { 'GET /api/rules': [2, 4] }
    if (question === undefined) return { ...passed(id, exchanges(2)), ...odd[id], exchanges: exchanges(3), durationsMs }
    const { answers, default: usual } = pluginQuestions.find((one) => one.id === question) as Question
    const answer = random() < 0.8 ? usual : Object.keys(answers)[Math.floor(random() * Object.keys(answers).length)]
    return observe(id, answer ?? usual, exchanges(1))
  })
  const hash = createHash('sha256').update(String(seed)).digest('hex')
  return {
    kit: { name: 'copytrade-tck', version: '0.1.0', requirementsVersion: '2026-03' },
    target: { kind: 'url', url: target, plugin: { name: 'ServiceCopyTrade', version: '3.1.4' } },
    scope: { risk: 'write', capabilities: [], only: [], skip: [], strict: false, complete: false },
    seed,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 48_210,
    requirements,
    questions: pluginQuestions,
    checks,
    outcomes,
    harm: {
      rulesBefore: 14,
      rulesAfter: 14,
      hashBefore: hash,
      hashAfter: hash,
      restored: true,
      differences: [],
      interference: [],
      unreachable: false,
    },
    ...changes,
  }
}

/** The changes of a run whose server the kit started, and which stops at the end. */
export const stoppedAtEnd: Partial<RunRecord> = {
  target: { kind: 'exec', url: target, plugin: null },
  harm: {
    ...{ rulesBefore: 3, rulesAfter: null, hashBefore: 'a', hashAfter: null },
    ...{ restored: true, differences: [], interference: [], unreachable: true },
  },
}
