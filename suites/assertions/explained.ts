import { isLinearizable } from '../model/linearizable.ts'
import { type Choices, type ListOperation, type ListState, listModel, type RuleName } from '../model/rule-list.ts'
import { failure } from './expect.ts'

interface Claim {
  readonly code: 'concurrency.unexplained' | 'durability.unexplained'
  readonly before: ListState
  readonly choices: Choices
  readonly seed: number
}

/** Some order of the operations, which are those of one round in the order of sending, explains every response. */
export function expectExplained(operations: readonly ListOperation[], { code, before, choices, seed }: Claim): void {
  if (isLinearizable(operations, before, listModel(choices))) return
  throw failure(code, { actual: timeline(before, operations), difference: null }).with({ seed })
}

/** One line from each request to its response, if it has one, with letters for rules and their legend below. */
function timeline(before: ListState, operations: readonly ListOperation[]): string {
  const rules = [...new Set([...before, ...operations.flatMap(rulesIn)])]
  // `a`, `b`, … `z`, `r27`, … in the order of their first appearance.
  const letters = new Map(rules.map((rule, at) => [rule, at < 26 ? String.fromCharCode(97 + at) : `r${at + 1}`]))
  const short = (rule: RuleName) => letters.get(rule) ?? rule
  const moments = [...new Set(operations.flatMap(({ sentAt, answeredAt }) => [sentAt, answeredAt]))]
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b)
  const bars = operations.map((operation) => barOf(operation, moments))
  const width = Math.max(...bars.map((bar) => bar.length))
  return [
    `list before: ${before.map(short).join(' ') || '(empty)'}`,
    ...operations.map((operation, i) => `${operation.client} ${bars[i]?.padEnd(width)} ${wordsFor(operation, short)}`),
    ...Array.from(letters, ([rule, letter]) => `${letter} = ${rule}`),
  ].join('\n')
}

const cellWidth = 3

function barOf({ sentAt, answeredAt }: ListOperation, moments: readonly number[]): string {
  const start = moments.indexOf(sentAt) * cellWidth
  const isOpen = answeredAt === Number.POSITIVE_INFINITY
  const end = (isOpen ? moments.length : moments.indexOf(answeredAt)) * cellWidth
  return `${' '.repeat(start)}|${'-'.repeat(Math.max(0, end - start - 1))}${isOpen ? '' : '|'}`
}

function wordsFor(operation: ListOperation, short: (rule: RuleName) => string): string {
  const response = responseOf(operation, short)
  if (operation.kind === 'add') return `add ${short(operation.rule)}: ${response}`
  return operation.kind === 'remove' ? `remove index ${operation.index}: ${response}` : `list: ${response}`
}

function responseOf({ response, answeredAt }: ListOperation, short: (rule: RuleName) => string): string {
  if (response === null || answeredAt === Number.POSITIVE_INFINITY) return 'no response yet'
  if (response.says === 'added') return `201, index ${response.index}`
  if (response.says === 'refused') return String(response.status)
  if (response.says !== 'listed') return response.says === 'removed' ? '200' : '404'
  return response.rules.map(({ index, rule }) => `${index}:${short(rule)}`).join(' ') || '(empty)'
}

function rulesIn(operation: ListOperation): readonly RuleName[] {
  if (operation.kind === 'add') return [operation.rule]
  return operation.response?.says === 'listed' ? operation.response.rules.map(({ rule }) => rule) : []
}
