import { expect, test } from 'vitest'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { createSimulator, type Profile } from '../../index.ts'
import { resolveProfile, UnknownAnswerError, UnknownQuestionError } from './profile.ts'

test('a profile without answers has the default answer to every question', () => {
  expect(resolveProfile()).toEqual(Object.fromEntries(pluginQuestions.map(({ id, default: answer }) => [id, answer])))
})

test('an answer replaces the default, undefined does not', () => {
  const profile = resolveProfile({ 'plugin.index.base': '1', ...({ 'plugin.path.case': undefined } as object) })
  expect(profile['plugin.index.base']).toBe('1')
  expect(profile['plugin.path.case']).toBe('sensitive')
})

test('a misspelled question is rejected with the nearest one', () => {
  const resolve = () => resolveProfile({ 'plugin.index.bsae': '1' } as Partial<Profile>)
  expect(resolve).toThrow(UnknownQuestionError)
  expect(resolve).toThrow('There is no question "plugin.index.bsae". Did you mean "plugin.index.base"?')
})

test('an unknown answer is rejected with the known answers', () => {
  const resolve = () => createSimulator({ profile: { 'plugin.index.base': '2' } as unknown as Partial<Profile> })
  expect(resolve).toThrow(UnknownAnswerError)
  expect(resolve).toThrow('"2" is no answer to "plugin.index.base". Its answers are: 0, 1.')
})

test('names of inherited members are not questions', () => {
  expect(() => resolveProfile({ constructor: 'x' } as Partial<Profile>)).toThrow(UnknownQuestionError)
})
