import { Document, isMap, isScalar, type YAMLMap } from 'yaml'
import { visibleLine } from '../../reports/visible.ts'
import { notKnown, profileSchema } from '../../simulator/plugin/profile/profile-document.ts'
import type { ErrorKind } from '../../spec/plugin/error-kinds.ts'
import { pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'
import { type PluginQuestion, pluginQuestions } from '../../spec/plugin/questions.ts'
import { kit } from '../kit.ts'
import type { Finding, Learned } from './learned.ts'

/** The profile as YAML, with the questions, their answers and what is not known as comments. */
export function profileText(learned: Learned): string {
  const { plugin, capacity, headers, reasonPhrases } = learned
  const document = new Document({
    schema: profileSchema,
    plugin: {
      ...plugin,
      capacity: 'known' in capacity ? capacity.known : notKnown,
      answers: Object.fromEntries(pluginQuestions.map(({ id }) => [id, responseOf(learned.answers.get(id))])),
      headers,
      reasonPhrases,
      errorTexts: Object.fromEntries(
        [...learned.errorTexts].flatMap(([id, one]) => ('known' in one ? [[id, one.known]] : [])),
      ),
    },
  })
  const section = document.get('plugin') as YAMLMap
  comment(section, 'capacity', ['The most rules that the list can hold.', ...reasonOf(capacity)])
  comment(section, 'answers', [`Where the specification is silent. "${notKnown}" keeps the default.`], true)
  comment(section, 'headers', ['Values of headers that the specification leaves open.'], true)
  comment(section, 'reasonPhrases', ['Words behind a status, where they are not the usual ones.'], true)
  comment(section, 'errorTexts', errorNotes(learned), true)
  const answers = section.get('answers') as YAMLMap
  for (const [place, question] of pluginQuestions.entries()) {
    comment(answers, question.id, notesOn(question, learned), place > 0)
  }
  const texts = section.get('errorTexts')
  if (isMap(texts))
    for (const { id, status, situation } of pluginErrorKinds) comment(texts, id, [`${status}: ${situation}`])
  document.commentBefore = lines([
    `How ${visibleLine(learned.url)} answers where the specification is silent, as ${kit.name} ${kit.version} has seen it.`,
    'Serve it:   copytrade-tck simulate --profile <this file> --api-key <key>',
    'Compare:    copytrade-tck run --target <url> --profile <this file>',
  ])
  return document.toString({ lineWidth: 0 })
}

function responseOf(finding: Finding<string> | undefined): string {
  return finding !== undefined && 'known' in finding ? finding.known : notKnown
}

function reasonOf(finding: Finding<unknown> | undefined): readonly string[] {
  return finding !== undefined && 'unknown' in finding ? [`Not known: ${visibleLine(finding.unknown)}`] : []
}

function notesOn(question: PluginQuestion, { answers }: Learned): readonly string[] {
  const meanings = Object.entries(question.answers).map(
    ([answer, meaning]) => `  ${answer}${answer === question.default ? ' (default)' : ''}: ${meaning}`,
  )
  return [`${question.question} (clause ${question.clause})`, ...meanings, ...reasonOf(answers.get(question.id))]
}

function errorNotes({ errorTexts }: Learned): readonly string[] {
  const missing = pluginErrorKinds.flatMap(({ id, situation }: ErrorKind) =>
    [...errorTexts].flatMap(([kind, finding]) =>
      kind === id && 'unknown' in finding ? [`  ${id} (${situation}): ${visibleLine(finding.unknown)}`] : [],
    ),
  )
  const words = ['Texts of errors; {field} stands for the field that is wrong, {allow} for the methods of the path.']
  return missing.length === 0 ? words : [...words, 'Not known:', ...missing]
}

/** Puts a comment above a key, behind an empty line where the key is the head of a block. */
function comment(map: YAMLMap, key: string, texts: readonly string[], apart = false): void {
  const node = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key
  if (!isScalar(node)) return
  node.commentBefore = lines(texts)
  node.spaceBefore = apart
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => ` ${text}`).join('\n')
}
