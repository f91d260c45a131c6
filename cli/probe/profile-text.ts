import { Document, isMap, isScalar, type YAMLMap } from 'yaml'
import { visibleLine } from '../../reports/visible.ts'
import { notKnown, profileSchema } from '../../simulator/plugin/profile/profile-document.ts'
import { pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'
import { type PluginQuestion, pluginQuestions } from '../../spec/plugin/questions.ts'
import { nameAndVersion } from '../version.ts'
import type { DetectedAnswers, Observed } from './detect-answers.ts'

/** The profile as YAML, with the questions and their answers as comments. */
export function profileText(detected: DetectedAnswers): string {
  const { plugin, capacity, headers, reasonPhrases } = detected
  const errorTexts = [...detected.errorTexts].flatMap(([id, one]) => ('known' in one ? [[id, one.known]] : []))
  const document = new Document({
    schema: profileSchema,
    plugin: {
      ...plugin,
      capacity: 'known' in capacity ? capacity.known : notKnown,
      answers: Object.fromEntries(pluginQuestions.map(({ id }) => [id, responseOf(detected.answers.get(id))])),
      headers,
      reasonPhrases,
      errorTexts: Object.fromEntries(errorTexts),
    },
  })
  const section = document.get('plugin') as YAMLMap
  comment(section, 'capacity', ['Maximum number of rules.', ...reasonOf(capacity)])
  const meaning = `Answers to the open questions of the specification. "${notKnown}" keeps the default.`
  comment(section, 'answers', [meaning], true)
  comment(section, 'headers', ['Values of headers that the specification leaves open.'], true)
  comment(section, 'reasonPhrases', ['Reason phrases that differ from the standard ones.'], true)
  comment(section, 'errorTexts', errorNotes(detected), true)
  const answers = section.get('answers') as YAMLMap
  for (const [place, question] of pluginQuestions.entries()) {
    comment(answers, question.id, notesOn(question, detected), place > 0)
  }
  const texts = section.get('errorTexts')
  if (isMap(texts))
    for (const { id, status, situation } of pluginErrorKinds) comment(texts, id, [`${status}: ${situation}`])
  document.commentBefore = lines([
    `How ${visibleLine(detected.url)} answers the open questions of the specification, observed by ${nameAndVersion.name} ${nameAndVersion.version}.`,
    'Serve it:     copytrade-tck simulate --profile <this file> --api-key <key>',
    'Check drift:  copytrade-tck run --target <url> --profile <this file>',
  ])
  return document.toString({ lineWidth: 0 })
}

function responseOf(finding: Observed<string> | undefined): string {
  return finding !== undefined && 'known' in finding ? finding.known : notKnown
}

function reasonOf(finding: Observed<unknown> | undefined): readonly string[] {
  return finding !== undefined && 'unknown' in finding ? [`Not known: ${visibleLine(finding.unknown)}`] : []
}

function notesOn(question: PluginQuestion, { answers }: DetectedAnswers): readonly string[] {
  const meanings = Object.entries(question.answers).map(
    ([answer, meaning]) => `  ${answer}${answer === question.default ? ' (default)' : ''}: ${meaning}`,
  )
  return [`${question.question} (clause ${question.clause})`, ...meanings, ...reasonOf(answers.get(question.id))]
}

function errorNotes({ errorTexts }: DetectedAnswers): readonly string[] {
  const missing = pluginErrorKinds.flatMap(({ id, situation }) => {
    const finding = errorTexts.get(id)
    if (finding === undefined || 'known' in finding) return []
    return [`  ${id} (${situation}): ${visibleLine(finding.unknown)}`]
  })
  const words = [
    'Error texts. {field} stands for the wrong field, {allow} for the methods of the path,',
    '{method} and {path} for those of the request.',
  ]
  return missing.length === 0 ? words : [...words, 'Not known:', ...missing]
}

/** Puts a comment above a key, after an empty line if the key begins a block. */
function comment(map: YAMLMap, key: string, texts: readonly string[], apart = false): void {
  const node = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key
  if (!isScalar(node)) return
  node.commentBefore = lines(texts)
  node.spaceBefore = apart
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => ` ${text}`).join('\n')
}
