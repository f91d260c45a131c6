import { type FailureData, isExcerpt, type Json } from './failure-data.ts'
import { type FailureCode, type FailureText, failureTexts } from './failure-texts.ts'

/** The rendered text of a failure. */
export interface RenderedFailure {
  readonly message: string
  readonly expected: string
  readonly actual: string
}

/** Renders a failure from its code and data only. */
export function renderFailure(
  code: FailureCode,
  data: FailureData,
  texts: Readonly<Record<FailureCode, FailureText>> = failureTexts,
): RenderedFailure {
  const { message, expected = '{expected}', actual = '{actual}' } = texts[code]
  const fill = (template: string) => template.replace(/\{(\w+)\}/g, (_, name: string) => showValue(data[name]))
  return { message: withOrigin(fill(message), data), expected: fill(expected), actual: fill(actual) }
}

function withOrigin(message: string, { after, seed }: FailureData): string {
  const place = after === undefined ? message : `After ${after}: ${message}`
  return seed === undefined ? place : `${place} Random: reproduce it with \`--seed ${seed}\`.`
}

function showValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === '') return '(empty)'
  if (typeof value === 'string') return value
  if (!isExcerpt(value)) return JSON.stringify(value)
  const { length, from, lines } = value
  const rest = length - from - lines.length
  const shown = lines.map((line, at) => `[${from + at}] ${line}`)
  return [`${length} rules`, ...(from > 0 ? ['…'] : []), ...shown, ...(rest > 0 ? ['…'] : [])].join('\n')
}
