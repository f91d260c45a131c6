import { fileURLToPath } from 'node:url'
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
import { sourceTextsIn } from './source-texts.ts'

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

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = [
  'bench',
  'cli',
  'examples',
  'fixtures',
  'http',
  'reports',
  'scripts',
  'simulator',
  'spec',
  'suites',
  'test',
]
/** The lists of banned words are not held to themselves. */
const sources = folders
  .flatMap((folder) => sourceTextsIn(root, folder))
  .filter(({ path }) => !/^test\/(wording|documents)\.test\.ts$/.test(path))

/** Private words in comments and test names, and phrases that read like a translation. */
const oddPhrases = [
  /\b((some|no|any)body|whoever|who comes)\b/i,
  /\b(anew|rightly|wrongly|for ever|in words|by lot|for want of|in vain|lest|as it were|all the same|to be had)\b/i,
  /(?<!\bthere )\b(is|are|was|were) no (?!longer|more)/i,
  /\b(mend\w*|tid(y|ies|ied)|errands?|undertakings?|offences?|toothless|sounding|beliefs?|misled|lasting|seams?)\b/i,
  /\b(strangers?|witness\w*|lend|lent|slam\w*|foresee\w*|rehears\w*|attest\w*|victims?|likeness|stand-ins?)\b/i,
  /(?<!=)\brefus(e|ed|es|al|als|ing)\b(?! (connections?|or closed|to start))/i,
  /\banswer(ed|s) (with \d|to a request)|\b(is|are|was|were) (answered|told (?!apart))/i,
  /\bhand(s|ed)? on|in (its|nobody's) way|goes on\b|came of it|becomes? of (it|them|others)\b/i,
  /\b(at stake|at hand|at work|under way|of others|stands for itself|stood at)\b/i,
  /\b(brings? back|gives? back|given back|takes? the place of|as good as|without a word)\b/i,
  /\b(so many|that many|as many as) (rules|times|requests|checks|bits|runs)\b|\b(beside|amid) (the|its|it|a)\b/i,
  /\bwhere (there (is|are|was|were)|none|it (is|was|has))\b/i,
  /\b(null|absent|undefined|empty|throws|@throws [^.]*) where\b|\bsent as a message\b/i,
  /\bwhat (came|comes|became) of\b|\bthe doing of\b|\b(held|speaks?) against\b/i,
  /\b(is|are|was|were) (said|looked at|waited for|taken for)\b|\bcomes? (back|again|twice)\b/i,
  /\b(by turns|for good|but for|so often|goes without saying|worth a word)\b/i,
]

/** Parts of names that the glossary replaces. */
const oddNameParts = new RegExp(
  `^(${[
    'undertaking|errand|foresee|foreseen|rehearse|attest|attestation|misled|victim|wish|lend|lends|lent|witness',
    'surroundings|beginnings?|seams?|strange|strangers?|toothless|sounding|beliefs?|tells|telling',
    'crowd|crowded|lasting|blow|unharmed|duo|tape|likeness|doors?|slam|mends?|anew|tidy|whoever|somebody|nobody',
    'excuse|forgives?|dying|dies|died',
  ].join('|')})$`,
)

/** `someNameOf` consists of `some`, `name` and `of`. */
function partsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/)
}

test('the sources are read', () => {
  expect(sources.flatMap(({ comments }) => comments).length).toBeGreaterThan(3000)
  expect(sources.flatMap(({ testNames }) => testNames).length).toBeGreaterThan(700)
  expect(sources.flatMap(({ names }) => names).length).toBeGreaterThan(5000)
})

test.for(oddPhrases.map((phrase) => [phrase] as const))('no comment and no test name says %s', ([phrase]) => {
  const texts = sources.flatMap(({ path, comments, testNames }) =>
    [...comments, ...testNames].map((text) => `${path}: ${text}`),
  )
  expect(texts.filter((line) => phrase.test(textOf(line)))).toEqual([])
})

test('no name contains a word that the glossary replaces', () => {
  const names = sources.flatMap(({ path, names }) => names.map((name) => `${path}: ${name}`))
  expect(names.filter((line) => partsOf(textOf(line)).some((part) => oddNameParts.test(part)))).toEqual([])
})

test('a defect is not called a fault, which the control API plays', () => {
  const ofDefects = sources.filter(({ path }) => /^simulator\/(\w+\/defects|defect-parts)\//.test(path))
  const ofControl = sources.filter(({ path }) => path.startsWith('simulator/control/'))
  expect(ofDefects.flatMap(({ comments }) => comments).filter((text) => /\bfaults?\b/i.test(text))).toEqual([])
  expect(ofControl.flatMap(({ comments }) => comments).filter((text) => /\bdefects?\b/i.test(text))).toEqual([])
})
