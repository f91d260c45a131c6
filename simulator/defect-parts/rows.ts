import type { DefectOf, MaskOf } from './defect.ts'

/** Functions that make the tables of defects for one API. */
export function rowsOf<Answers, RequirementId extends string, Override extends (hooks: never) => unknown>() {
  type Defect = DefectOf<Answers, RequirementId, Override>
  type Breaks = RequirementId | Defect['breaks']
  /** The answers that mask a defect: those of one mask, or several masks. */
  type Masks = Answers | readonly MaskOf<Answers, RequirementId>[]
  type Masked = Required<Pick<Defect, 'override' | 'maskedBy'>>
  type Table = Readonly<Record<string, Override | Masked>>

  const masksOf = (by: Masks) => (Array.isArray(by) ? by : [{ answers: by as Answers }])

  /** Defects that break the same requirements. Each row has an id, a one-sentence summary and an override. */
  const rows = (breaks: Breaks, table: Table): readonly Defect[] =>
    Object.entries(table).map(([name, row]) => {
      const [id = '', ...summary] = name.split(' ')
      return {
        id,
        breaks: typeof breaks === 'string' ? [breaks] : breaks,
        summary: summary.join(' '),
        ...(typeof row === 'function' ? { override: row } : row),
      }
    })

  return {
    rows,
    /** The same, where each row without masks of its own has these. */
    maskedRows: (by: Masks, breaks: Breaks, table: Table): readonly Defect[] =>
      rows(breaks, table).map((defect) => ({ maskedBy: masksOf(by), ...defect })),
    /** Adds to a row the profile answers that mask it. */
    masked: (override: Override, by: Masks): Masked => ({ override, maskedBy: masksOf(by) }),
  }
}
