import { expect, test } from 'vitest'
import { notKnown } from '../simulator/plugin/profile/profile-document.ts'
import { platformQuestions } from '../spec/platform/questions.ts'
import { platformRequirements, platformUnjudged } from '../spec/platform/requirements.ts'
import { type ErrorKind, pluginErrorKinds } from '../spec/plugin/error-kinds.ts'
import { pluginQuestions } from '../spec/plugin/questions.ts'
import { pluginRequirements, pluginUnjudged } from '../spec/plugin/requirements.ts'
import type { Question } from '../spec/question.ts'
import type { Requirement } from '../spec/requirement.ts'
import { platformChecks, platformObservations } from '../suites/checks/platform/all.ts'
import { errorTextProbes, pluginChecks, pluginObservations } from '../suites/checks/plugin/all.ts'

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
  expect(errorTextProbes.map(({ id, about }) => `${id} ${about}`).toSorted()).toMatchSnapshot('error-text probes')
})

test('no id is used twice', () => {
  const ids = [
    ...requirements,
    ...pluginUnjudged,
    ...platformUnjudged,
    ...questions,
    ...allChecks,
    ...allObservations,
    ...errorTextProbes,
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

test('no question has an answer with the name reserved for an unknown answer', () => {
  expect(questions.filter(({ answers }) => notKnown in answers)).toEqual([])
})

test('every kind of error has an error-text probe or depends on a question', () => {
  const probed = errorTextProbes.map(({ about }) => about).filter((about) => about !== 'capacity')
  const kinds: readonly ErrorKind[] = pluginErrorKinds
  expect(probed.toSorted()).toEqual(
    kinds
      .filter(({ when }) => when === undefined)
      .map(({ id }) => id)
      .toSorted(),
  )
  for (const { id, when } of kinds) {
    const answers = questions.find((question) => question.id === when?.question)?.answers ?? {}
    expect(Object.keys(answers), id).toEqual(expect.arrayContaining([...(when?.answers ?? [])]))
  }
})

test('a check that creates accounts declares how many, or runs only on a disposable platform', () => {
  const creating = [...platformChecks, ...platformObservations].filter(
    ({ risk, needs }) => risk !== 'read' && !needs?.includes('disposable-platform'),
  )
  expect(creating.filter(({ creates }) => creates === undefined).map(({ id }) => id)).toEqual([])
  expect(creating.filter(({ needs }) => !needs?.includes('platform-group')).map(({ id }) => id)).toEqual([])
})
