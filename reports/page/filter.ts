import type { ReportedRequirement } from '../report.ts'

/** The filter of the list of requirements. An empty text matches everything. */
export interface Filter {
  /** Words that must all occur. */
  readonly text: string
  readonly status: string
  readonly level: string
  readonly clause: string
  readonly operation: string
}

export const everything: Filter = { text: '', status: '', level: '', clause: '', operation: '' }

const prefix = '#find?'

/** The filter in a URL fragment; null if there is none. */
export function filterIn(hash: string): Filter | null {
  if (!hash.startsWith(prefix)) return null
  const given = new URLSearchParams(hash.slice(prefix.length))
  const names = Object.keys(everything) as (keyof Filter)[]
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? ''])) as unknown as Filter
}

/** The URL fragment of a filter. */
export function hashFor(filter: Filter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return given.length === 0 ? '#' : `${prefix}${new URLSearchParams(given)}`
}

/** A requirement with its searchable text. */
export interface Searchable {
  readonly requirement: ReportedRequirement
  readonly operations: ReadonlySet<string>
  /** In lower case. */
  readonly text: string
}

export function searchTextOf({ id, clause, statement, consequence, checks }: ReportedRequirement): string {
  const texts = checks.flatMap((check) => [check.id, check.title, check.code ?? '', check.message ?? ''])
  return [id, `clause ${clause}`, statement, consequence, ...texts].join(' ').toLowerCase()
}

export function matches({ requirement, operations, text }: Searchable, filter: Filter): boolean {
  const { status, level, clause } = requirement
  return (
    (filter.status === '' || filter.status === status) &&
    (filter.level === '' || filter.level === level) &&
    (filter.clause === '' || filter.clause === clause) &&
    (filter.operation === '' || operations.has(filter.operation)) &&
    filter.text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}
