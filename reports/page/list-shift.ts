import type { Exchange } from '../../suites/client/exchange.ts'
import type { ReportedCheck } from '../report.ts'

/** A part of a list of rules. */
interface Excerpt {
  /** The index of its first rule. */
  readonly from: number
  /** The length of the whole list. */
  readonly length: number
  readonly rows: readonly Row[]
}

interface Row {
  /** The index that the server reported; null if unknown. */
  readonly index: string | null
  readonly rule: string
}

/** What happened to a rule. Rules outside an excerpt have no known change. */
export type RowChange =
  | 'stayed'
  | 'moved'
  | 'misplaced'
  | 'removed'
  | 'vanished'
  | 'still-there'
  | 'appeared'
  | 'beyond'

export interface ShiftedRow extends Row {
  readonly change: RowChange
  /** The index that a misplaced rule should have; null if unknown. */
  readonly shouldBe: string | null
}

/** Two lists, and where each rule of the left one went. */
export interface ListShift {
  readonly titles: readonly [left: string, right: string]
  readonly left: readonly ShiftedRow[]
  readonly right: readonly ShiftedRow[]
  readonly arrows: readonly { readonly from: number; readonly to: number; readonly change: RowChange }[]
  /** The number of further rules in each list. */
  readonly more: readonly [left: number, right: number]
}

const maxRows = 12

/** The lists of a failure as a picture: before and after a removal, or as expected and as found; null without lists. */
export function listShiftOf(check: ReportedCheck): ListShift | null {
  const removal = removalIn(check)
  if (removal !== null) return removal
  const [expected, actual] = [excerptIn(check.data?.expected), excerptIn(check.data?.actual)]
  if (expected === null || actual === null || expected.rows.length + actual.rows.length === 0) return null
  return compare({ titles: ['Expected', 'Actual'], left: expected, right: actual, removedAt: null })
}

/** The lists before and after a single acknowledged DELETE; null without one. */
function removalIn({ code, decidedBy, exchanges }: ReportedCheck): ListShift | null {
  if (!code?.startsWith('list.')) return null
  const at = exchanges.findIndex(({ id }) => id === decidedBy)
  const write = exchanges.slice(0, Math.max(at, 0)).findLastIndex(({ request }) => request.method !== 'GET')
  const index = /\/rules\/(\d+)$/.exec(exchanges[write]?.request.url ?? '')?.[1]
  const [before, after] = [listIn(exchanges[write - 1]), listIn(exchanges[at])]
  if (index === undefined || exchanges[write]?.request.method !== 'DELETE') return null
  if (exchanges[write]?.response?.status !== 200 || before === null || after === null) return null
  const removedAt = before.findIndex((row) => row.index === index)
  const whole = (rows: readonly Row[]): Excerpt => ({ from: 0, length: rows.length, rows })
  const titles = ['Before', `After DELETE /api/rules/${index}`] as const
  return compare({ titles, left: whole(before), right: whole(after), removedAt })
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

function excerptIn(value: unknown): Excerpt | null {
  if (Array.isArray(value)) return { from: 0, length: value.length, rows: value.map(rowOf) }
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

interface Compared {
  readonly titles: ListShift['titles']
  readonly left: Excerpt
  readonly right: Excerpt
  /**
   * The index of the rule on the left that should be missing on the right; -1 for none, null if the lists should be
   * equal.
   */
  readonly removedAt: number | null
}

function compare({ titles, left, right, removedAt }: Compared): ListShift {
  const expectedAt = (place: number) => (removedAt !== null && removedAt >= 0 && place > removedAt ? place - 1 : place)
  const changeOf = (from: number, to: number): RowChange => {
    if (from === removedAt) return 'still-there'
    if (expectedAt(left.from + from) !== right.from + to) return 'misplaced'
    return left.from + from === right.from + to ? 'stayed' : 'moved'
  }
  const arrows = pairsOf(left.rows, right.rows).map(([from, to]) => ({ from, to, change: changeOf(from, to) }))
  const [leaving, arriving] = [
    new Map(arrows.map((one) => [one.from, one])),
    new Map(arrows.map((one) => [one.to, one])),
  ]
  const isWhole = ({ rows, length }: Excerpt) => rows.length === length
  const leftRows = left.rows.map((row, at): ShiftedRow => {
    const gone = at === removedAt ? 'removed' : isWhole(right) ? 'vanished' : 'beyond'
    return { ...row, change: leaving.get(at)?.change ?? gone, shouldBe: null }
  })
  const rightRows = right.rows.map((row, at): ShiftedRow => {
    const { from = 0, change = isWhole(left) ? 'appeared' : 'beyond' } = arriving.get(at) ?? {}
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
    more: [left.length - shown.left.length, right.length - shown.right.length],
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

function firstChange(...lists: readonly (readonly ShiftedRow[])[]): number {
  const places = lists.map((rows) => rows.findIndex(({ change }) => change !== 'stayed')).filter((at) => at >= 0)
  return places.length === 0 ? 0 : Math.min(...places)
}
