import { describe, expect, test } from 'vitest'
import type { Question } from '../../spec/question.ts'
import type { Requirement } from '../../spec/requirement.ts'
import type { KnownDefect, SelfTestApi } from '../target/self-test.ts'
import { answersText, findPossibleViolations } from './laws.ts'
import { buildMatrix, tryAll } from './matrix.ts'
import { chooseScope } from './scope.ts'
import type { Result, SelfTestTask } from './task.ts'

const requirement = (id: string): Requirement => ({
  id,
  clause: '1',
  level: 'required',
  statement: id,
  consequence: '',
})
const question: Question = { id: 'q', clause: '1', question: '?', answers: { a: '', b: '' }, default: 'a', why: '' }
const check = (id: string, about: string) => ({ id, requirement: about, title: '', risk: 'read' as const, run: never })
const never = () => Promise.reject(new Error('nothing is run here'))
const defect = (id: string, breaks: readonly string[], more: Partial<KnownDefect> = {}): KnownDefect => ({
  id,
  breaks,
  summary: id,
  ...more,
})

const maskedAtB = [{ answers: { q: 'b' } }]
const api: SelfTestApi = {
  name: 'sample',
  requirements: ['r.one', 'r.two', 'r.three'].map(requirement),
  questions: [question],
  checks: [check('C1', 'r.one'), check('C2', 'r.two'), check('C3', 'r.three')],
  observations: [{ id: 'Q1', question: 'q', title: '', risk: 'read', run: never }],
  defects: [
    defect('d.both', ['r.one', 'r.two']),
    defect('d.hidden', ['r.one'], { maskedBy: maskedAtB }),
    defect('d.three', ['r.three']),
  ],
  runScopes: [],
  otherAnswers: { q: 'b' },
  unmeasurable: [],
  judge: never,
}

const green: Statuses = { C1: 'passed', C2: 'passed', C3: 'passed' }

type Statuses = Readonly<Record<string, Result['status']>>

const failure = (circumstances: string) => ({ text: '', change: '', recorded: `list.not-shifted:${circumstances}` })

const thorough = { only: [] as readonly string[], sample: Number.POSITIVE_INFINITY, seed: 1, quick: false, profiles: 3 }

/** A self-test with made-up statuses of the checks. */
async function run(
  statusesOf: (task: SelfTestTask) => Statuses,
  { of = api, ...chosen }: Partial<typeof thorough & { of: SelfTestApi }> = {},
) {
  const scope = chooseScope(of, { ...thorough, ...chosen })
  const tried = await tryAll(scope, async (task) => {
    const statuses = { ...green, ...statusesOf(task) }
    const results = Object.entries(statuses).map(([id, status]) => ({
      ...{ check: id, status, code: null, answer: null, message: null },
      requirement: of.checks.find((one) => one.id === id)?.requirement ?? '',
      ...(status === 'failed' && { failure: failure(id === 'C2' ? 'a restart' : '') }),
    }))
    const answer = task.answers.q ?? 'a'
    const observed = task.observes
      ? [{ check: 'Q1', question: 'q', status: 'passed' as const, code: null, answer, message: null }]
      : []
    return [...results, ...observed]
  })
  const matrix = buildMatrix(scope, tried)
  const findings = findPossibleViolations(scope, matrix, tried).map(
    ({ sentence, answers, kind }) => `${kind}: ${sentence.replace('{answers}', answersText(answers))}`,
  )
  return { matrix, findings, verdicts: matrix.defects.map(({ verdict }) => verdict) }
}

const killers: Readonly<Record<string, Statuses>> = {
  'd.both': { C1: 'failed', C2: 'failed' },
  'd.hidden': { C1: 'failed' },
  'd.three': { C3: 'failed' },
}
const isHidden = ({ defects, answers }: SelfTestTask) => defects.includes('d.hidden') && answers.q === 'b'
const asExpected = (task: SelfTestTask) => (isHidden(task) ? {} : (killers[task.defects[0] ?? ''] ?? {}))
/** Only the row of a defect judges every requirement. */
const isRow = ({ defects, requirements }: SelfTestTask) => defects.length > 0 && requirements.length === 3

describe('the kill matrix', () => {
  test('has no violation if every defect is caught by all requirements that it breaks', async () => {
    const { matrix, findings, verdicts } = await run(asExpected)
    expect(verdicts).toEqual(['killed-by-all', 'killed-by-all', 'killed-by-all'])
    expect(findings).toEqual([])
    expect(matrix.requirements[0]).toMatchObject({ brokenBy: ['d.both', 'd.hidden'], caught: ['d.both', 'd.hidden'] })
    expect(matrix.defects[0]?.failures).toEqual(['C1:list.not-shifted:', 'C2:list.not-shifted:a restart'])
  })

  test.for([
    { answers: 'random', of: { ...api, otherAnswers: null }, profiles: 3 },
    { answers: 'the other', of: api, profiles: 0 },
  ])('records how a defect fails with $answers answers', async ({ of, profiles }) => {
    const { matrix } = await run((task) => (isRow(task) ? asExpected(task) : { C3: 'failed' }), { of, profiles })
    expect(matrix.defects[0]?.failures).toContain('C3:list.not-shifted:')
  })

  test.for([
    [{ C1: 'failed' }, 'killed-by-some', /missed by r\.two, which it breaks; it is caught by r\.one/],
    [{ C3: 'failed' }, 'killed-by-others', /missed by r\.one, which it breaks; it is caught by r\.three/],
    [{}, 'survived', /d\.both survived: neither r\.one/],
    [{ C1: 'blocked', C2: 'blocked' }, 'survived', /d\.both survived: neither r\.two/],
  ] as const)('has a verdict on each defect: %j', async ([statuses, verdict, sentence]) => {
    const { verdicts, findings } = await run((task) =>
      task.defects.includes('d.both') ? (statuses as Statuses) : asExpected(task),
    )
    expect(verdicts[0]).toBe(verdict)
    expect(findings.join('\n')).toMatch(sentence)
  })

  test('a requirement that does not pass without a defect is a false alarm, whatever its status', async () => {
    const right: SelfTestTask[] = []
    const isSecond = (task: SelfTestTask) => task.defects.length === 0 && right.push(task) === 2
    const { matrix, findings } = await run((task) => (isSecond(task) ? { C2: 'blocked' } : asExpected(task)))
    expect(matrix.requirements.map(({ falseAlarms }) => falseAlarms)).toEqual([0, 1, 0])
    expect(findings).toMatchObject([expect.stringContaining('C2 (r.two) is wrong for a simulator without a defect')])
  })

  test('a requirement that fails for none of its defects is unproven', async () => {
    const { findings } = await run((task) => (task.defects.includes('d.three') ? {} : asExpected(task)))
    expect(findings.filter((text) => text.startsWith('unproven'))).toMatchObject([expect.stringContaining('r.three')])
  })

  test('a mask that masks nothing is reported', async () => {
    const { findings } = await run((task) => killers[task.defects[0] ?? ''] ?? {})
    expect(findings).toMatchObject([expect.stringContaining('d.hidden has a mask for r.one with q=b')])
  })

  test('a check with an internal error has not judged', async () => {
    const { findings } = await run((task) => (isRow(task) ? { C1: 'error' } : asExpected(task)))
    expect(findings.filter((text) => text.startsWith('error')).length).toBe(3)
  })

  test('a part of the matrix is complete for the chosen requirements with all their defects', async () => {
    const { matrix, findings } = await run(asExpected, { only: ['r.one'] })
    expect(matrix.requirements.map(({ id }) => id)).toEqual(['r.one'])
    expect(matrix.defects.map(({ id }) => id)).toEqual(['d.both', 'd.hidden'])
    expect(findings).toEqual([])
  })

  test('a sample judges every requirement, and none is unproven because its defect was left out', async () => {
    const samples = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => run(asExpected, { sample: 2, seed })))
    for (const { matrix, findings } of samples) {
      expect(matrix.requirements.map(({ id }) => id)).toEqual(['r.one', 'r.two', 'r.three'])
      expect(matrix.defects.filter(({ combined }) => combined !== null).length).toBe(2)
      expect(findings).toEqual([])
    }
    expect(new Set(samples.flatMap(({ matrix }) => matrix.defects.map(({ id }) => id))).size).toBe(3)
  })

  test('a requirement can be unproven if all its defects are in the sample', async () => {
    const uncaught = (task: SelfTestTask) =>
      task.defects.includes('d.three') ? {} : (killers[task.defects[0] ?? ''] ?? {})
    const found = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => run(uncaught, { sample: 2, seed })))
    for (const { matrix, findings } of found) {
      const isDrawn = matrix.defects.some(({ id }) => id === 'd.three')
      expect(findings.some((text) => text.startsWith('unproven'))).toBe(isDrawn)
    }
  })
})

test('a new defect does not change the random profiles of other defects', async () => {
  const profileOf = async (defects: readonly KnownDefect[]) => {
    const { matrix } = await run(asExpected, { of: { ...api, defects }, profiles: 40 })
    return new Map(matrix.defects.map(({ id, combined }) => [id, combined?.profile]))
  }
  const before = await profileOf(api.defects)
  const after = await profileOf([defect('d.new', ['r.one']), ...api.defects])
  expect(after.size).toBe(before.size + 1)
  expect([...after].filter(([id]) => id !== 'd.new').toSorted()).toEqual([...before].toSorted())
})
