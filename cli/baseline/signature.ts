import { createHash } from 'node:crypto'
import type { ReportedCheck } from '../../reports/report.ts'
import { isKitLogin, maskVolatile, soleNumber } from './mask.ts'

/** What a signature is made of. */
export type Failure = Pick<ReportedCheck, 'id' | 'message' | 'expected' | 'actual'>

/**
 * Twelve hexadecimal digits that stay the same while a check fails in the same way, whatever the
 * seed, the port or the rules of the target are, and change when it fails in another way.
 */
export function signatureOf({ id, message, expected, actual }: Failure): string {
  const words = maskVolatile(message ?? '')
  if (/--seed\b/.test(words)) return drawnSignature(id)
  return hashOf([id, words, ...difference(words, expected ?? '', actual ?? '')])
}

/**
 * The signature of a failure that was drawn by lot, as its message says. It may meet another fault
 * with another seed, or none; that it met one is all that can be told.
 */
export function drawnSignature(id: string): string {
  return hashOf([id])
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

/** How the actual side differs from the expected one, said without volatile numbers. */
function difference(words: string, expected: string, actual: string): readonly string[] {
  // Status codes are few and fixed, and which of them it was is the very fault.
  if (/\bstatuses\b/.test(words)) return [expected, actual]
  const lists = [listOf(expected), listOf(actual)] as const
  if (lists[0] !== null && lists[1] !== null) return compareLists(lists[0], lists[1])
  const numbers = [soleNumber(expected), soleNumber(actual)] as const
  if (numbers[0] !== null && numbers[1] !== null) return compareNumbers(words, numbers[0], numbers[1])
  // A check that tries several things expects something else each time; that nothing came is the fault.
  if (actual === 'nothing') return [actual]
  return [maskVolatile(expected), maskVolatile(withExpectedLogins(actual, expected))]
}

/** Whether a rule has the logins that it should have can be told, although the logins themselves change. */
function withExpectedLogins(actual: string, expected: string): string {
  const known = new Set((expected.match(/\d+/g) ?? []).filter((digits) => isKitLogin(Number(digits))))
  return actual.replace(/(?<="(?:master|follower)":\s*)\d+/g, (login) => (known.has(login) ? 'expected' : login))
}

/** Indices and counts follow the length of the target's list; any other number is the check's own. */
function compareNumbers(words: string, expected: number, actual: number): readonly string[] {
  const literal = (value: number) => (isKitLogin(value) ? 'login' : String(value))
  if (/\b(?:value|master|follower|login)\b/.test(words)) return [literal(expected), literal(actual)]
  return [actual > expected ? 'greater' : 'less']
}

interface List {
  readonly items: readonly string[]
  /** The report shows only the part of a long list that matters. */
  readonly length: number
}

/** The two forms in which a report shows a list: JSON, and a line for each rule. */
function listOf(text: string): List | null {
  const [head = '', ...lines] = text.split('\n')
  const count = /^(\d+) rules$/.exec(head)?.[1]
  if (count !== undefined) {
    return { items: lines.filter((line) => line !== '…').map(withoutPlace), length: Number(count) }
  }
  const json = text.startsWith('[') ? parsed(text) : null
  return Array.isArray(json) ? { items: json.map((item) => JSON.stringify(item)), length: json.length } : null
}

const withoutPlace = (line: string) => line.replace(/^\[\d+\] /, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether the order, the length or the items differ, and of which form the items are. */
function compareLists(expected: List, actual: List): readonly string[] {
  const sorted = (list: List) => JSON.stringify(list.items.toSorted())
  const forms = (list: List) => [...new Set(list.items.map(maskVolatile))].toSorted().join(' | ')
  const lengths = ['shorter', 'as long', 'longer'][Math.sign(actual.length - expected.length) + 1] ?? ''
  return [sorted(expected) === sorted(actual) ? 'other order' : 'other items', lengths, forms(expected), forms(actual)]
}
