import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Question } from '../../spec/question.ts'
import type { Requirement } from '../../spec/requirement.ts'
import type { KnownDefect, SelfTestApi } from '../target/self-test.ts'
import { selftestSchema } from './document.ts'
import { answersText, findPossibleViolations } from './laws.ts'
import { buildMatrix, type Done } from './matrix.ts'
import { chooseScope, type Planned, planTasks } from './plan.ts'
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

const green: Readonly<Record<string, Result['status']>> = { C1: 'passed', C2: 'passed', C3: 'passed' }

/** The tasks of a self-test with made-up statuses of the checks. */
function run(
  statusesOf: (planned: Planned) => Readonly<Record<string, Result['status']>>,
  chosen: Partial<Parameters<typeof chooseScope>[1]> = {},
) {
  const scope = chooseScope(api, { only: [], sample: Number.POSITIVE_INFINITY, seed: 1, ...chosen })
  const plan = planTasks(scope, { profiles: 3, quick: false, seed: 1 })
  const done = plan.planned.map((planned): Done => {
    const statuses = { ...green, ...statusesOf(planned) }
    const results = Object.entries(statuses).map(([id, status]) => ({
      check: id,
      status,
      code: status === 'failed' ? ('list.not-shifted' as const) : null,
      answer: null,
      message: null,
      circumstances: id === 'C2' ? 'a restart' : '',
    }))
    const answer = planned.task.answers.q ?? 'a'
    const observed = planned.task.observes
      ? [{ check: 'Q1', status: 'passed' as const, code: null, answer, message: null, circumstances: null }]
      : []
    return { ...planned, results: [...results, ...observed], alone: [] }
  })
  const matrix = buildMatrix(scope, plan, done)
  const findings = findPossibleViolations(scope, matrix, done).map(
    ({ sentence, answers, kind }) => `${kind}: ${sentence.replace('{answers}', answersText(answers))}`,
  )
  return { matrix, findings, verdicts: matrix.defects.map(({ verdict }) => verdict) }
}

const killers: Readonly<Record<string, Readonly<Record<string, Result['status']>>>> = {
  'd.both': { C1: 'failed', C2: 'failed' },
  'd.hidden': { C1: 'failed' },
  'd.three': { C3: 'failed' },
}
const isHidden = ({ defects, answers }: SelfTestTask) => defects.includes('d.hidden') && answers.q === 'b'
const asExpected = ({ task }: Planned) => (isHidden(task) ? {} : (killers[task.defects[0] ?? ''] ?? {}))

describe('the kill matrix', () => {
  test('has no violation if every defect is caught by all requirements that it breaks', () => {
    const { matrix, findings, verdicts } = run(asExpected)
    expect(verdicts).toEqual(['killed-by-all', 'killed-by-all', 'killed-by-all'])
    expect(findings).toEqual([])
    expect(matrix.requirements[0]).toMatchObject({ brokenBy: ['d.both', 'd.hidden'], caught: ['d.both', 'd.hidden'] })
    expect(matrix.defects[0]?.failures).toEqual(['C1:list.not-shifted:', 'C2:list.not-shifted:a restart'])
  })

  test.for(['combined', 'other'])('records how a defect fails with other answers: %s', (purpose) => {
    const { matrix } = run((planned) => (planned.purpose === purpose ? { C3: 'failed' } : asExpected(planned)))
    expect(matrix.defects[0]?.failures).toContain('C3:list.not-shifted:')
  })

  test.for([
    [{ C1: 'failed' }, 'killed-by-some', /missed by r\.two, which it breaks; it is caught by r\.one/],
    [{ C3: 'failed' }, 'killed-by-others', /missed by r\.one, which it breaks; it is caught by r\.three/],
    [{}, 'survived', /d\.both survived: neither r\.one/],
    [{ C1: 'blocked', C2: 'blocked' }, 'survived', /d\.both survived: neither r\.two/],
  ] as const)('has a verdict on each defect: %j', ([statuses, verdict, sentence]) => {
    const { verdicts, findings } = run((planned) =>
      planned.task.defects.includes('d.both')
        ? (statuses as Readonly<Record<string, Result['status']>>)
        : asExpected(planned),
    )
    expect(verdicts[0]).toBe(verdict)
    expect(findings.join('\n')).toMatch(sentence)
  })

  test('a requirement that does not pass without a defect is a false alarm, whatever its status', () => {
    const { matrix, findings } = run((planned) =>
      planned.purpose === 'right' && planned.profile === 1 ? { C2: 'blocked' } : asExpected(planned),
    )
    expect(matrix.requirements.map(({ falseAlarms }) => falseAlarms)).toEqual([0, 1, 0])
    expect(findings).toMatchObject([expect.stringContaining('C2 (r.two) is wrong for a simulator without a defect')])
  })

  test('a requirement that fails for none of its defects is unproven', () => {
    const { findings } = run((planned) => (planned.task.defects.includes('d.three') ? {} : asExpected(planned)))
    expect(findings.filter((text) => text.startsWith('unproven'))).toMatchObject([expect.stringContaining('r.three')])
  })

  test('a mask that masks nothing is reported', () => {
    const { findings } = run(({ task }) => killers[task.defects[0] ?? ''] ?? {})
    expect(findings).toMatchObject([expect.stringContaining('d.hidden has a mask for r.one with q=b')])
  })

  test('a check with an internal error has not judged', () => {
    const { findings } = run((planned) => (planned.purpose === 'row' ? { C1: 'error' } : asExpected(planned)))
    expect(findings.filter((text) => text.startsWith('error')).length).toBe(3)
  })

  test('a part of the matrix is complete for the chosen requirements with all their defects', () => {
    const { matrix, findings } = run(asExpected, { only: ['r.one'] })
    expect(matrix.requirements.map(({ id }) => id)).toEqual(['r.one'])
    expect(matrix.defects.map(({ id }) => id)).toEqual(['d.both', 'd.hidden'])
    expect(findings).toEqual([])
  })

  test('a sample judges every requirement, and none is unproven because its defect was left out', () => {
    const samples = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => run(asExpected, { sample: 2, seed }))
    for (const { matrix, findings } of samples) {
      expect(matrix.requirements.map(({ id }) => id)).toEqual(['r.one', 'r.two', 'r.three'])
      expect(matrix.defects.filter(({ combined }) => combined !== null).length).toBe(2)
      expect(findings).toEqual([])
    }
    expect(new Set(samples.flatMap(({ matrix }) => matrix.defects.map(({ id }) => id))).size).toBe(3)
  })

  test('a requirement can be unproven if all its defects are in the sample', () => {
    const uncaught = ({ task }: Planned) =>
      task.defects.includes('d.three') ? {} : (killers[task.defects[0] ?? ''] ?? {})
    const found = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => run(uncaught, { sample: 2, seed }))
    for (const { matrix, findings } of found) {
      const isDrawn = matrix.defects.some(({ id }) => id === 'd.three')
      expect(findings.some((text) => text.startsWith('unproven'))).toBe(isDrawn)
    }
  })
})

test('a new defect does not change the random profiles of other defects', () => {
  const size = { profiles: 40, quick: false, seed: 1 }
  const profileOf = (defects: readonly KnownDefect[]) => {
    const scope = chooseScope({ ...api, defects }, { only: [], sample: Number.POSITIVE_INFINITY, seed: 1 })
    const { planned } = planTasks(scope, size)
    return new Map(planned.flatMap((one) => (one.purpose === 'combined' ? [[one.defect.id, one.profile]] : [])))
  }
  const before = profileOf(api.defects)
  const after = profileOf([defect('d.new', ['r.one']), ...api.defects])
  expect(after.size).toBe(before.size + 1)
  expect([...after].filter(([id]) => id !== 'd.new').toSorted()).toEqual([...before].toSorted())
})

test('selftest.schema.json describes selftest.json; `-u` writes it again', async () => {
  const title = 'Kill matrix of copytrade-tck selftest'
  const description = 'Objects may gain members in later versions of the kit: a reader ignores those it does not know.'
  const about = { $id: 'copytrade-tck/selftest@1', title, description }
  const schema = { ...z.toJSONSchema(selftestSchema, { io: 'input' }), ...about }
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('./selftest.schema.json')
})
