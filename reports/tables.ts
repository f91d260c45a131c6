import type { Paint } from './paint.ts'
import type { RequirementStatus, Verdict } from './report.ts'

/** A page of lists and tables as data, which is rendered as HTML, Markdown or text. Its texts are not escaped. */
export interface Page {
  /** The verdict that decides the colour of the page's head. */
  readonly look: Verdict
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion?: string }
  /** The result: the first line of a page, and the last one on a terminal. */
  readonly heading: string
  readonly lines: readonly string[]
  readonly sections: readonly Section[]
  /** Names of other files with the same content. */
  readonly otherFiles?: readonly string[]
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly count?: number | string
  readonly colour?: Parameters<Paint>[0]
  /** Explains the content. Shown as an alert if the colour is red. */
  readonly note?: string
  readonly lines?: readonly Cell[]
  readonly facts?: readonly (readonly [name: string, value: Cell])[]
  readonly tables?: readonly Table[]
}

export interface Table {
  /** Shown above the table if a section has several. */
  readonly title?: Cell
  readonly colour?: Parameters<Paint>[0]
  readonly lines?: readonly Cell[]
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** What every column except the first has: numbers, or signs. */
  readonly columns?: 'numbers' | 'signs'
}

export type Cell =
  | string
  | number
  | readonly Cell[]
  | { readonly code: string }
  /** A text of the kit that marks code with backticks. */
  | { readonly prose: string }
  /** A link that begins with `#` leads to another place of a page in HTML. */
  | { readonly link: string; readonly text: string }
  | { readonly status: RequirementStatus }
  /** A status as a sign; null for none. */
  | { readonly sign: RequirementStatus | null }
  | { readonly below: readonly Cell[] }
  | { readonly list: readonly Cell[] }
