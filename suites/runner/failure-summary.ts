import { type Excerpt, isExcerpt, type Json } from '../assertions/failure-data.ts'
import type { Exchange } from '../client/exchange.ts'
import { isObject } from '../client/json.ts'
import { without } from '../safety/list-state.ts'
import type { Outcome } from './outcome.ts'

/** Enough to distinguish the failures of a check. */
const longestPart = 120

/** How a check failed: its last step, the change, and the deciding request. Similar failures have similar texts. */
export function failureSummary(outcome: Pick<Outcome, 'data' | 'exchanges' | 'decidedBy'>): string {
  const { data, exchanges, decidedBy } = outcome
  const deciding = exchanges.find(({ id }) => id === decidedBy)
  return [stepIn(data), data ? changeIn(data) : undefined, deciding && requestText(deciding)]
    .map((part) => part?.slice(0, longestPart))
    .filter(Boolean)
    .join(' | ')
}

/** How a check failed, for comparison with its failure on another server. */
export function comparableFailure(outcome: Pick<Outcome, 'code' | 'data' | 'exchanges' | 'decidedBy'>) {
  const { code, data, exchanges, decidedBy } = outcome
  const deciding = exchanges.find(({ id }) => id === decidedBy)
  const start = deciding?.response?.body?.trim().slice(0, 1) ?? ''
  const response = deciding && `${requestText(deciding)} ${bodyForms[start] ?? 'text'}`
  return {
    /** Code, step, and deciding request and response. Failures with the same text are considered equal. */
    text: [code, stepIn(data), response].filter(Boolean).join(' | '),
    /** The change, which distinguishes otherwise equal failures. */
    change: data === null ? '' : (changeIn(data) ?? ''),
  }
}

/** An index differs from server to server. */
const stepIn = (data: Outcome['data']) => data?.after?.replaceAll(/#\d+/g, '#')

/** By the first character of a body. */
const bodyForms: Readonly<Record<string, string>> = { '': 'no body', '{': 'object', '[': 'array' }

function requestText({ request: { method, url, headers }, response }: Exchange): string {
  const path = method === 'RAW' ? '' : url.replace(/^\w+:\/\/[^/]+/, '')
  const keys = headers
    .filter(([name]) => /^(x-api-key|authorization)$/i.test(name))
    // Keys of launched servers differ, by their end, or as a random number.
    .map(([name, value]) => `${name}: ${value.replace(/(?<=\[redacted\])[-\w]+/, '').replace(/^\d{12}$/, '0')}`)
    .filter((key) => !/^x-api-key: \[redacted\]$/i.test(key))
  // Logins and indices change from run to run, but the length of a number may matter.
  const stable = path.replace(/(?<!%\w?)\d+/g, ({ length }) => '0'.repeat(length < 5 ? 1 : Math.min(length, 30)))
  return [method, stable, ...keys, response?.status ?? 'no response'].join(' ')
}

/** The difference between the two sides, such as `1.25→1` or `lost last, -1`, without what changes from run to run. */
export function changeIn(data: NonNullable<Outcome['data']>): string | undefined {
  const { actual, expected, difference, index, listedAt } = data
  const [now, before] = [linesIn(actual), linesIn(expected)]
  if (now !== null && before !== null) return changeOfLists(now, before)
  if (typeof index === 'number' && typeof listedAt === 'number') return changeOfNumber(index - listedAt)
  if (Array.isArray(difference)) return JSON.stringify(difference)
  if (typeof actual === 'number' && typeof expected === 'number') return changeOfNumber(actual - expected)
  if (typeof actual === 'string' && typeof expected === 'string') return changedWords(actual, expected)
  if (typeof difference !== 'string') return undefined
  return [difference, ...changedFields(actual, expected)].join(', ')
}

/** The fields of one rule that differ, without logins. */
function changedFields(actual: Json | undefined, expected: Json | undefined): readonly string[] {
  if (!isObject(actual) || !isObject(expected)) return []
  return Object.keys(expected).flatMap((name) => {
    if (JSON.stringify(actual[name]) === JSON.stringify(expected[name])) return []
    return /master|follower/.test(name) ? name : `${expected[name]}→${actual[name]}`
  })
}

function linesIn(value: Json | undefined): Excerpt | null {
  if (value === undefined || value === null) return null
  if (isExcerpt(value)) return value
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isList ? { length: value.length, from: 0, lines: value } : null
}

function changeOfLists(now: Excerpt, before: Excerpt): string {
  const [listed, expected] = [now.lines.map(withoutIndex), before.lines.map(withoutIndex)]
  const gone = without(expected, listed)
  const came = without(listed, expected)
  const changed = gone.flatMap((line) => {
    const other = came.find((one) => isAlike(one, line))
    if (other === undefined) return [`lost ${placeOf(expected.indexOf(line), before)}`]
    came.splice(came.indexOf(other), 1)
    return [changedWords(other, line)]
  })
  const further = came.map((line) => `extra ${placeOf(listed.indexOf(line), now)}`)
  const length = now.length === before.length ? [] : [changeOfNumber(now.length - before.length)]
  const order = gone.length + came.length === 0 ? [orderOf(listed, expected)] : []
  return [...new Set([...changed, ...further, ...order, ...length])].join(', ')
}

const withoutIndex = (line: string) => line.replace(/^#\S+ /, '')

function placeOf(at: number, { from, length }: Excerpt): string {
  if (from + at === 0) return 'first'
  return from + at === length - 1 ? 'last' : 'inner'
}

/** Whether the rules have the same logins, or are otherwise equal. */
function isAlike(one: string, other: string): boolean {
  const [[logins, ...contents], [otherLogins, ...otherContents]] = [one.split(' '), other.split(' ')]
  return logins === otherLogins || (contents.length > 0 && contents.join() === otherContents.join())
}

function changedWords(now: string, before: string): string {
  const words = withoutIndex(now).split(' ')
  return withoutIndex(before)
    .split(' ')
    .flatMap((word, at) => (word === words[at] ? [] : [[word, words[at]].map(masked).join('→')]))
    .join(' ')
}

/** Masks logins and times, which differ in every run. The number of digits may matter, so it is kept. */
const masked = (word = '') => (/>|\d-\d\dT|^0?\d{13}$/.test(word) ? word.replace(/\d/g, '0') : word)

function changeOfNumber(difference: number): string {
  const sign = difference > 0 ? '+' : ''
  return Math.abs(difference) < 4 ? `${sign}${difference}` : `${sign}${difference}`.replace(/\d/g, '0')
}

function orderOf(listed: readonly string[], expected: readonly string[]): string {
  if (listed.join() === expected.join()) return 'indices'
  return listed.join() === expected.toReversed().join() ? 'reversed' : 'other order'
}
