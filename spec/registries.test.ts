import { expect, test } from 'vitest'
import { platformQuestions } from './platform/questions.ts'
import { platformRequirements, platformUnjudged } from './platform/requirements.ts'
import { pluginQuestions } from './plugin/questions.ts'
import { pluginRequirements, pluginUnjudged } from './plugin/requirements.ts'
import type { Question } from './question.ts'

const plugin = [...pluginRequirements, ...pluginUnjudged, ...pluginQuestions]
const platform = [...platformRequirements, ...platformUnjudged, ...platformQuestions]

test('every id is unique and starts with the name of its API', () => {
  const ids = [...plugin, ...platform].map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(plugin.filter(({ id }) => !/^plugin(\.[a-z0-9-]+)+$/.test(id))).toEqual([])
  expect(platform.filter(({ id }) => !/^platform(\.[a-z0-9-]+)+$/.test(id))).toEqual([])
})

test('the default of a question is one of at least two answers', () => {
  const questions: readonly Question[] = [...pluginQuestions, ...platformQuestions]
  const broken = questions.filter(
    ({ answers, default: byDefault }) => Object.keys(answers).length < 2 || !Object.hasOwn(answers, byDefault),
  )
  expect(broken).toEqual([])
})

test('the platform requirements with level required are those that the specification states', () => {
  const required = platformRequirements.filter(({ level }) => level === 'required').map(({ id }) => id)
  expect(required.toSorted()).toMatchInlineSnapshot(`
    [
      "platform.account.answered",
      "platform.account.created-at",
      "platform.account.data",
      "platform.account.id",
      "platform.account.name",
      "platform.account.status",
      "platform.create.accepted",
      "platform.version.in-path",
    ]
  `)
})
