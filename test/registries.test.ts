import { expect, test } from 'vitest'
import type { Question } from '../spec/question.ts'
import { platformQuestions } from '../spec/questions/platform.ts'
import { pluginQuestions } from '../spec/questions/plugin.ts'
import type { Requirement } from '../spec/requirement.ts'
import { platformRequirements, platformUnjudged } from '../spec/requirements/platform.ts'
import { pluginRequirements, pluginUnjudged } from '../spec/requirements/plugin.ts'
import { pluginChecks, pluginObservations } from '../suites/cases/all.ts'
import { platformChecks, platformObservations } from '../suites/cases/platform/all.ts'
import { isAboutPlatform } from '../suites/engine/check.ts'

const questions: readonly Question[] = [...pluginQuestions, ...platformQuestions]
const requirements: readonly Requirement[] = [...pluginRequirements, ...platformRequirements]
const allChecks = [...pluginChecks, ...platformChecks]
const allObservations = [...pluginObservations, ...platformObservations]

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, position) => ids.indexOf(id) !== position)
}

test('the ids of requirements, questions and checks are permanent', () => {
  expect(requirements.map(({ id, level }) => `${id} (${level})`).toSorted()).toMatchSnapshot('requirements')
  expect(questions.map(({ id, answers }) => `${id}: ${Object.keys(answers).join(', ')}`).toSorted()).toMatchSnapshot(
    'questions',
  )
  const checks = allChecks.map(({ id, requirement }) => `${id} ${requirement}`)
  const observations = allObservations.map(({ id, question }) => `${id} ${question}`)
  expect([...checks, ...observations].toSorted()).toMatchSnapshot('checks')
})

test('no id is used twice', () => {
  const ids = [
    ...requirements,
    ...pluginUnjudged,
    ...platformUnjudged,
    ...questions,
    ...allChecks,
    ...allObservations,
  ].map(({ id }) => id)
  expect(repeated(ids)).toEqual([])
})

test('every requirement has a check, and every check judges a known requirement', () => {
  const judged = new Set(allChecks.map(({ requirement }) => requirement))
  const known = new Set(requirements.map(({ id }) => id))
  expect([...known].filter((id) => !judged.has(id))).toEqual([])
  expect([...judged].filter((id) => !known.has(id))).toEqual([])
})

test('every question has exactly one observation, and every observation answers a known question', () => {
  expect(allObservations.map(({ question }) => question).toSorted()).toEqual(questions.map(({ id }) => id).toSorted())
})

test('the default of a question is one of at least two answers', () => {
  for (const { id, answers, default: byDefault } of questions) {
    expect(Object.keys(answers).length, id).toBeGreaterThan(1)
    expect(Object.keys(answers), id).toContain(byDefault)
  }
})

test('a check that starts servers says that it needs to', () => {
  const launching = [...allChecks, ...allObservations].filter(({ run }) => /\b(launch|prepare)\b/.test(String(run)))
  expect(launching.filter(({ needs }) => !needs?.includes('launch')).map(({ id }) => id)).toEqual([])
})

test('checks of the platform, and no others, say that they need one', () => {
  expect([...platformChecks, ...platformObservations].filter((check) => !isAboutPlatform(check))).toEqual([])
  expect([...pluginChecks, ...pluginObservations].filter(isAboutPlatform)).toEqual([])
})

test('a check that creates accounts says how many, or is for platforms of the kit alone', () => {
  const creating = [...platformChecks, ...platformObservations].filter(
    ({ risk, needs }) => risk !== 'read' && !needs?.includes('own-platform'),
  )
  expect(creating.filter(({ creates }) => creates === undefined).map(({ id }) => id)).toEqual([])
  expect(creating.filter(({ needs }) => !needs?.includes('platform-group')).map(({ id }) => id)).toEqual([])
})
