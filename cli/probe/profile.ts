import { Document, isMap, isScalar, type YAMLMap } from 'yaml'
import { visibleLine } from '../../reports/visible.ts'
import type { WordedHeaders } from '../../simulator/index.ts'
import { notKnown, profileSchema } from '../../simulator/plugin/profile/profile-document.ts'
import { type ErrorKind, type PluginErrorKindId, pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'
import { type PluginQuestion, pluginQuestions } from '../../spec/plugin/questions.ts'
import { errorTextIn } from '../../suites/assertions/error-text.ts'
import { errorTextProbes, pluginObservations } from '../../suites/checks/plugin/all.ts'
import type { Exchange } from '../../suites/client/exchange.ts'
import { parseJson } from '../../suites/client/json.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { nameAndVersion } from '../version.ts'

/** The profile as YAML, with the questions and their answers as comments. */
export function profileText(detected: DetectedAnswers): string {
  const { plugin, capacity, headers, reasonPhrases } = detected
  const document = new Document({
    schema: profileSchema,
    plugin: {
      ...plugin,
      capacity: 'known' in capacity ? capacity.known : notKnown,
      answers: Object.fromEntries(pluginQuestions.map(({ id }) => [id, responseOf(detected.answers.get(id))])),
      headers,
      reasonPhrases,
      errorTexts: Object.fromEntries(
        [...detected.errorTexts].flatMap(([id, one]) => ('known' in one ? [[id, one.known]] : [])),
      ),
    },
  })
  const section = document.get('plugin') as YAMLMap
  comment(section, 'capacity', ['Maximum number of rules.', ...reasonOf(capacity)])
  comment(
    section,
    'answers',
    [`Answers to the open questions of the specification. "${notKnown}" keeps the default.`],
    true,
  )
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
  const missing = pluginErrorKinds.flatMap(({ id, situation }: ErrorKind) =>
    [...errorTexts].flatMap(([kind, finding]) =>
      kind === id && 'unknown' in finding ? [`  ${id} (${situation}): ${visibleLine(finding.unknown)}`] : [],
    ),
  )
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

/** An observed value, or the reason why it is unknown. */
export type Observed<Value> = { readonly known: Value } | { readonly unknown: string }

/** What a probe has detected about a server, with secrets redacted. */
export type DetectedAnswers = ReturnType<typeof detectAnswers>

export interface ProbeEvidence {
  readonly url: string
  readonly plugin: { readonly name: string; readonly version: string } | null
  readonly outcomes: readonly Observation[]
  /** The capacity given by the user. */
  readonly statedCapacity: number | null
}

type Observation = Pick<Outcome, 'check' | 'status' | 'answer' | 'message' | 'exchanges'>

type Outcomes = ReadonlyMap<string, Observation>

const observationOf = new Map(pluginObservations.map(({ id, question }) => [question, id]))
const probeFor = new Map<string, string>(errorTextProbes.map(({ id, about }) => [about, id]))

export function detectAnswers({ url, plugin, outcomes, statedCapacity }: ProbeEvidence) {
  const byCheck = new Map(outcomes.map((outcome) => [outcome.check, outcome]))
  const seen = outcomes.flatMap(({ exchanges }) => exchanges)
  const answers: ReadonlyMap<string, Observed<string>> = new Map(
    pluginQuestions.map(({ id }) => [id, answerIn(byCheck.get(observationOf.get(id) ?? ''))]),
  )
  return {
    url,
    plugin,
    capacity: capacityIn(byCheck.get(probeFor.get('capacity') ?? ''), statedCapacity),
    answers,
    headers: headersIn(seen),
    reasonPhrases: phrasesIn(seen),
    errorTexts: errorTextsIn(byCheck, answers),
  }
}

function answerIn(outcome: Observation | undefined): Observed<string> {
  if (outcome === undefined) return { unknown: 'not observed' }
  const { status, answer, message } = outcome
  if (status !== 'passed') return { unknown: message ?? status }
  return answer === null ? { unknown: `not one of the known answers: ${message}` } : { known: answer }
}

/** A measured capacity overrides a stated one, so that the twin is full at the same size as the target. */
function capacityIn(outcome: Observation | undefined, stated: number | null): Observed<number> {
  const measured = answerIn(outcome)
  if ('known' in measured) return { known: Number(measured.known) }
  const refuted = outcome?.status === 'passed'
  return stated === null || refuted ? measured : { known: stated }
}

function headersIn(seen: readonly Exchange[]): Partial<WordedHeaders> {
  const type = seen
    .map((exchange) => headerOf(exchange, 200, 'content-type'))
    .find((value) => /^\s*application\/json\s*(;|$)/i.test(value ?? ''))
  const challenge = seen.map((exchange) => headerOf(exchange, 401, 'www-authenticate')).find((value) => value !== null)
  return {
    ...(type ? { 'Content-Type': type } : {}),
    ...(challenge ? { 'WWW-Authenticate': challenge } : {}),
  }
}

function headerOf({ response }: Exchange, status: number, name: string): string | null {
  if (response?.status !== status) return null
  return response.headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null
}

function phrasesIn(seen: readonly Exchange[]): Record<string, string> {
  const phrases = seen.flatMap(({ response }) => (response?.reason ? [[response.status, response.reason]] : []))
  // Reversed, so that the first phrase of each status wins.
  return Object.fromEntries(phrases.toReversed())
}

/** One for every kind of error that is possible with these answers. */
function errorTextsIn(outcomes: Outcomes, answers: ReadonlyMap<string, Observed<string>>) {
  const found = pluginErrorKinds.flatMap((kind: ErrorKind) => {
    const id = kind.id as PluginErrorKindId
    if (kind.when === undefined) return [[id, answerIn(outcomes.get(probeFor.get(id) ?? ''))] as const]
    const answer = answers.get(kind.when.question)
    const isPossible = answer !== undefined && 'known' in answer && kind.when.answers.includes(answer.known)
    const outcome = outcomes.get(observationOf.get(kind.when.question) ?? '')
    return isPossible && outcome !== undefined ? [[id, textIn(outcome, id)] as const] : []
  })
  return new Map(found)
}

/** The text of the last error response of an observation. */
function textIn({ exchanges }: Observation, kind: PluginErrorKindId): Observed<string> {
  const exchange = exchanges.findLast(({ response }) => (response?.status ?? 0) >= 400)
  if (!exchange?.response) return { unknown: 'there is no error response' }
  const { body, headers } = exchange.response
  const byName = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const text = errorTextIn({ exchange, json: parseJson(Buffer.from(body ?? '')), headers: byName }, kind)
  return text === null ? { unknown: 'the response has no error text' } : { known: text }
}
