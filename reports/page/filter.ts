import { operationOf } from '../../suites/client/exchange.ts'
import type { ReportedRequirement } from '../report.ts'

/** A filter of the list of requirements: words that must all occur, and what must be equal. An empty text matches all. */
export const everything = { text: '', status: '', level: '', clause: '', operation: '' }

export type Filter = Readonly<typeof everything>

const prefix = '#find?'

/** The filter in a URL fragment; null if there is none. */
export function filterIn(hash: string): Filter | null {
  if (!hash.startsWith(prefix)) return null
  const given = new URLSearchParams(hash.slice(prefix.length))
  const names = Object.keys(everything) as (keyof Filter)[]
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? ''])) as unknown as Filter
}

export function hashFor(filter: Filter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return given.length === 0 ? '#' : `${prefix}${new URLSearchParams(given)}`
}

/** A requirement with the operations that its checks sent, and its searchable text in lower case. */
export function searchable(requirement: ReportedRequirement) {
  const { id, clause, statement, consequence, checks } = requirement
  const exchanges = checks.flatMap((check) => check.exchanges)
  const operations = new Set(exchanges.map((exchange) => operationOf(exchange) ?? 'other requests'))
  const texts = checks.flatMap((check) => [check.id, check.title, check.code ?? '', check.message ?? ''])
  const text = [id, `clause ${clause}`, statement, consequence, ...texts].join(' ').toLowerCase()
  return { requirement, clause, operations, text }
}

export function matches({ requirement, operations, text }: ReturnType<typeof searchable>, filter: Filter): boolean {
  const isEqual = (name: 'status' | 'level' | 'clause') => filter[name] === '' || filter[name] === requirement[name]
  const words = filter.text.toLowerCase().split(/\s+/)
  return (
    (['status', 'level', 'clause'] as const).every(isEqual) &&
    (filter.operation === '' || operations.has(filter.operation)) &&
    words.every((word) => text.includes(word))
  )
}
