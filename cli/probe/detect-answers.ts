import type { WordedHeaders } from '../../simulator/index.ts'
import { type ErrorKind, type PluginErrorKindId, pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { errorTextProbes, pluginObservations } from '../../suites/checks/plugin/all.ts'
import { errorTextIn } from '../../suites/checks/plugin/error-text-probes.ts'
import type { Exchange } from '../../suites/client/exchange.ts'
import { isObject, parseJson } from '../../suites/client/json.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/** An observed value, or the reason why it is unknown. */
export type Observed<Value> = { readonly known: Value } | { readonly unknown: string }

/** What a probe has detected about a server, with secrets redacted. */
export type DetectedAnswers = ReturnType<typeof detectAnswers>

export interface ProbeEvidence {
  readonly url: string
  readonly plugin: { readonly name: string; readonly version: string } | null
  readonly outcomes: readonly Observation[]
  readonly statedCapacity: number | null
}

type Observation = Pick<Outcome, 'check' | 'status' | 'answer' | 'message' | 'exchanges'>

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
    plugin: { ...plugin, ...licenseIn(seen) },
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

function licenseIn(seen: readonly Exchange[]): { readonly licenseActive?: boolean } {
  const bodies = seen.map(({ response }) => parseJson(Buffer.from(response?.body ?? '')))
  const license = bodies.map((body) => (isObject(body) ? body.license_active : undefined))
  const known = license.find((one) => typeof one === 'boolean')
  return known === undefined ? {} : { licenseActive: known }
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
function errorTextsIn(outcomes: ReadonlyMap<string, Observation>, answers: ReadonlyMap<string, Observed<string>>) {
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
