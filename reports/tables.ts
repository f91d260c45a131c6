import type { Paint } from './paint.ts'
import type { Verdict } from './report.ts'
import type { RequirementStatus } from './requirement-status.ts'

/** A page of lists and tables: data that is written as HTML, as Markdown or for a terminal. Its texts are not escaped. */
export interface Page {
  /** The verdict whose colour the head of the page takes. */
  readonly look: Verdict
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion?: string }
  /** What it all comes to: the first line of a page, and the last one on a terminal. */
  readonly heading: string
  /** What stands below the heading. */
  readonly lines: readonly string[]
  readonly sections: readonly Section[]
  /** Names of other files with the same content. */
  readonly otherFiles?: readonly string[]
}

export interface Section {
  readonly id: string
  readonly title: string
  /** Next to the title. */
  readonly count?: number | string
  readonly colour?: Parameters<Paint>[0]
  /** Explains the content; an alarm where the colour is red. */
  readonly note?: string
  readonly lines?: readonly Cell[]
  readonly facts?: readonly (readonly [name: string, value: Cell])[]
  readonly tables?: readonly Table[]
  readonly grid?: Grid
}

/** A table of texts. */
export interface Table {
  /** Above the table where a section has several. */
  readonly title?: Cell
  readonly colour?: Parameters<Paint>[0]
  readonly lines?: readonly Cell[]
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Whether every column but the first holds numbers. */
  readonly numbers?: boolean
}

/** A table of statuses. */
export interface Grid {
  readonly heads: readonly string[]
  readonly rows: readonly {
    readonly name: Cell
    /** Where the row belongs; may be empty. */
    readonly about: string
    readonly statuses: readonly (RequirementStatus | null)[]
  }[]
}

export type Cell = string | number | Code | Prose | Link | Anchor | Badge | Lines | Listed | readonly Cell[]
interface Code {
  readonly code: string
}
/** A text of the kit, with code between backticks. */
interface Prose {
  readonly prose: string
}
interface Link {
  readonly link: string
  readonly text: string
}
/** The id of something that the same page shows. */
interface Anchor {
  readonly id: string
}
interface Badge {
  readonly status: RequirementStatus
}
interface Lines {
  readonly below: readonly Cell[]
}
interface Listed {
  readonly list: readonly Cell[]
}
