import { expect, test } from 'vitest'
import { platformDefects } from '../simulator/platform/defects/index.ts'
import { pluginDefects } from '../simulator/plugin/defects/index.ts'
import { platformQuestions } from '../spec/platform/questions.ts'
import { platformRequirements, platformUnjudged } from '../spec/platform/requirements.ts'
import { pluginErrorKinds } from '../spec/plugin/error-kinds.ts'
import { pluginQuestions } from '../spec/plugin/questions.ts'
import { pluginRequirements, pluginUnjudged } from '../spec/plugin/requirements.ts'
import type { Question } from '../spec/question.ts'
import { platformChecks, platformObservations } from '../suites/checks/platform/all.ts'
import { errorTextProbes, pluginChecks, pluginObservations } from '../suites/checks/plugin/all.ts'

const requirements = [...pluginRequirements, ...platformRequirements]
const unjudged = [...pluginUnjudged, ...platformUnjudged]
const questions: readonly Question[] = [...pluginQuestions, ...platformQuestions]
const checks = [...pluginChecks, ...pluginObservations, ...errorTextProbes, ...platformChecks, ...platformObservations]

/** Each text with the id of its entry, as a failure of a test shows it. */
const titles = checks.map(({ id, title }) => `${id}: ${title}`)
const sentences = [
  ...requirements.flatMap(({ id, statement, consequence }) => [`${id}: ${statement}`, `${id}: ${consequence}`]),
  ...unjudged.map(({ id, reason }) => `${id}: ${reason}`),
  ...questions.map(({ id, why }) => `${id}: ${why}`),
]
const summaries = [...pluginDefects, ...platformDefects].map(({ id, summary }) => `${id}: ${summary}`)
const asked = questions.map(({ id, question }) => `${id}: ${question}`)
const clauses = [
  ...questions.flatMap(({ id, answers }) => Object.values(answers).map((meaning) => `${id}: ${meaning}`)),
  ...pluginErrorKinds.map(({ id, situation }) => `${id}: ${situation}`),
]

/** Private words with a standard counterpart in the glossary, and phrases that no technical document uses. */
const privateWords = [
  /\b(some|no|any)body\b/i,
  /\bwhoever\b/i,
  /\b(anew|rightly|wrongly|for ever|in words|by lot|for want of|without a word|as good as|so it does)\b/i,
  /(?<!\bthere )\b(is|are|was|were|be) no (?!longer)/i,
  /\b(mend|tidy|errand|offence|toothless|sounding|belief|misled|lasting|strangers?|twin|seam|blow)\b/i,
  /(?<!connection is )\brefus(e|ed|es|al|als)\b/i,
  /\banswer(ed|s)? (with|to a|on|at|of)\b/i,
  /\b(is|are) answered\b/i,
  /\b(is|was|are) told\b/i,
  /\b(harms?|harmed) (no|nothing)\b/i,
  /\bbehind (the|a|it|its|other)\b(?! proxy)/i,
]

/** Words that point to something outside the title. */
const pointers = /\b(it|this|these|they|them|the other one|as before)\b|\btoo$/i

function textOf(line: string): string {
  return line.slice(line.indexOf(': ') + 2)
}

test('the list of texts is complete', () => {
  expect(titles.length).toBeGreaterThan(250)
  expect(sentences.length).toBeGreaterThan(300)
  expect(summaries.length).toBeGreaterThan(400)
  expect(asked.length).toBe(questions.length)
  expect(clauses.length).toBeGreaterThan(300)
})

test.for(privateWords.map((word) => [word] as const))('no text says %s', ([word]) => {
  const texts = [...titles, ...sentences, ...asked, ...clauses, ...summaries]
  expect(texts.filter((line) => word.test(textOf(line)))).toEqual([])
})

test('no two checks have the same title', () => {
  const texts = checks.map(({ title }) => title)
  expect(texts.filter((title, at) => texts.indexOf(title) !== at)).toEqual([])
})

test('a title is a sentence that makes sense alone', () => {
  expect(titles.filter((line) => pointers.test(textOf(line)))).toEqual([])
  expect(titles.filter((line) => !/^[A-Z].*[^.]$/.test(textOf(line)))).toEqual([])
  expect(titles.filter((line) => textOf(line).length > 110)).toEqual([])
})

test('the summary of a defect is a sentence', () => {
  expect(summaries.filter((line) => !/^\S.*\.$/.test(textOf(line)))).toEqual([])
})

test('statements, consequences and reasons are sentences, questions are questions, answers are clauses', () => {
  expect(sentences.filter((line) => !/^[A-Z].*\.$/.test(textOf(line)))).toEqual([])
  expect(asked.filter((line) => !/^[A-Z].*\?$/.test(textOf(line)))).toEqual([])
  expect(clauses.filter((line) => /[.?]$/.test(line))).toEqual([])
})
