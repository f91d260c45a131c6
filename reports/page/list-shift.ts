import type { Exchange } from '../../suites/client/exchange.ts'
import type { ReportedCheck } from '../report.ts'

interface Row {
  /** The index that the server reported; null if unknown. */
  readonly index: string | null
  readonly rule: string
}

/** A part of a list of rules: the index of its first rule, and the length of the whole list. */
interface Excerpt {
  readonly from: number
  readonly length: number
  readonly rows: readonly Row[]
}

interface Lists {
  readonly titles: readonly [left: string, right: string]
  readonly left: Excerpt
  readonly right: Excerpt
  /** The position of the rule on the left that should be missing on the right; -1 for none. */
  readonly removedAt: number
}

/** Two lists, where each rule of the left one went, and the number of further rules in each. */
export type ListShift = ReturnType<typeof compare>
export type ShiftedRow = ListShift['left' | 'right'][number]

/** What happened to a rule. Rules outside an excerpt have no known change. */
export type Change = 'stayed' | 'moved' | 'misplaced' | 'removed' | 'vanished' | 'still-there' | 'appeared' | 'beyond'

const maxRows = 12

/** The lists of a failure as a picture: before and after a removal, or as expected and as found; null without lists. */
export function listShiftOf(check: ReportedCheck): ListShift | null {
  const lists = removalIn(check) ?? mismatchIn(check)
  return lists === null ? null : compare(lists)
}

function mismatchIn({ data }: ReportedCheck): Lists | null {
  const [left, right] = [excerptIn(data?.expected), excerptIn(data?.actual)]
  if (left === null || right === null || left.rows.length + right.rows.length === 0) return null
  return { titles: ['Expected', 'Actual'], left, right, removedAt: -1 }
}

/** The lists before and after a single acknowledged DELETE; null without one. */
function removalIn({ code, decidedBy, exchanges }: ReportedCheck): Lists | null {
  if (!code?.startsWith('list.')) return null
  const at = exchanges.findIndex(({ id }) => id === decidedBy)
  const write = exchanges.slice(0, Math.max(at, 0)).findLastIndex(({ request }) => request.method !== 'GET')
  const index = /\/rules\/(\d+)$/.exec(exchanges[write]?.request.url ?? '')?.[1]
  const [before, after] = [listIn(exchanges[write - 1]), listIn(exchanges[at])]
  if (index === undefined || exchanges[write]?.request.method !== 'DELETE') return null
  if (exchanges[write]?.response?.status !== 200 || before === null || after === null) return null
  const removedAt = before.findIndex((row) => row.index === index)
  return { titles: ['Before', `After DELETE /api/rules/${index}`], left: whole(before), right: whole(after), removedAt }
}

/** The rules in a response; null if it has no complete list. Logins keep all their digits. */
function listIn(exchange: Exchange | undefined): readonly Row[] | null {
  if (exchange?.request.method !== 'GET') return null
  try {
    const body = exchange.response?.body ?? ''
    const { rules } = JSON.parse(body.replace(/("(?:master|follower)"\s*:\s*)(-?\d+)/g, '$1"$2"'))
    return rules.map(({ index, master, follower, mode, value, direction }: Record<string, unknown>) => ({
      index: String(index),
      rule: `${master}>${follower} ${mode} ${value} ${direction}`,
    }))
  } catch {
    return null
  }
}

const whole = (rows: readonly Row[]): Excerpt => ({ from: 0, length: rows.length, rows })

function excerptIn(value: unknown): Excerpt | null {
  if (Array.isArray(value)) return whole(value.map(rowOf))
  if (typeof value !== 'object' || value === null || !('lines' in value) || !Array.isArray(value.lines)) return null
  const { from, length, lines } = value as unknown as { from: number; length: number; lines: unknown[] }
  return { from, length, rows: lines.map(rowOf) }
}

/** Rules are texts such as `#3 1001>2001 mult 1.5 same`. */
function rowOf(value: unknown): Row {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const [, index = null, rule = text] = /^#(\S+) (.*)$/.exec(text) ?? []
  return { index, rule }
}

function compare({ titles, left, right, removedAt }: Lists) {
  const expectedAt = (place: number) => (removedAt >= 0 && place > removedAt ? place - 1 : place)
  const changeOf = (from: number, to: number): Change => {
    if (from === removedAt) return 'still-there'
    if (expectedAt(left.from + from) !== right.from + to) return 'misplaced'
    return left.from + from === right.from + to ? 'stayed' : 'moved'
  }
  const arrows = pairsOf(left.rows, right.rows).map(([from, to]) => ({ from, to, change: changeOf(from, to) }))
  const isWhole = ({ rows, length }: Excerpt) => rows.length === length
  const leftRows = left.rows.map((row, at) => {
    const gone: Change = at === removedAt ? 'removed' : isWhole(right) ? 'vanished' : 'beyond'
    return { ...row, change: arrows.find(({ from }) => from === at)?.change ?? gone, shouldBe: null as string | null }
  })
  const unexpected: Change = isWhole(left) ? 'appeared' : 'beyond'
  const rightRows = right.rows.map((row, at) => {
    const { from = 0, change = unexpected } = arrows.find(({ to }) => to === at) ?? {}
    return { ...row, change, shouldBe: change === 'misplaced' ? (left.rows[expectedAt(from)]?.index ?? null) : null }
  })
  const start = Math.max(0, firstChange(leftRows, rightRows) - 2)
  const shown = { left: leftRows.slice(start, start + maxRows), right: rightRows.slice(start, start + maxRows) }
  return {
    titles,
    ...shown,
    arrows: arrows
      .map(({ from, to, change }) => ({ from: from - start, to: to - start, change }))
      .filter(({ from, to }) => shown.left[from] !== undefined && shown.right[to] !== undefined),
    more: [left.length - shown.left.length, right.length - shown.right.length] as const,
  }
}

/** Equal rules are paired in their order. */
function pairsOf(left: readonly Row[], right: readonly Row[]): readonly (readonly [from: number, to: number])[] {
  const places = new Map<string, number[]>()
  for (const [at, { rule }] of right.entries()) places.set(rule, [...(places.get(rule) ?? []), at])
  return left.flatMap(({ rule }, from) => {
    const to = places.get(rule)?.shift()
    return to === undefined ? [] : [[from, to] as const]
  })
}

function firstChange(...lists: readonly (readonly { readonly change: Change }[])[]): number {
  const places = lists.map((rows) => rows.findIndex(({ change }) => change !== 'stayed')).filter((at) => at >= 0)
  return places.length === 0 ? 0 : Math.min(...places)
}
