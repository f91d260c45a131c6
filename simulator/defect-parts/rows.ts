import type { DefectOf, MaskOf } from './defect.ts'

/** The override of a defect, with the answers that mask it. */
export interface Masked<Answers, RequirementId extends string, Override> {
  readonly override: Override
  readonly maskedBy: readonly MaskOf<Answers, RequirementId>[]
}

/** Functions that make the tables of defects for one API. */
export function rowsOf<Answers, RequirementId extends string, Override extends (hooks: never) => unknown>() {
  return {
    /** Defects that break the same requirements. Each row has an id, a one-sentence summary and an override. */
    rows: (
      breaks: RequirementId | readonly [RequirementId, ...RequirementId[]],
      table: Readonly<Record<string, Override | Masked<Answers, RequirementId, Override>>>,
    ): readonly DefectOf<Answers, RequirementId, Override>[] =>
      Object.entries(table).map(([name, row]) => {
        const [id = '', ...summary] = name.split(' ')
        return {
          id,
          breaks: typeof breaks === 'string' ? [breaks] : breaks,
          summary: summary.join(' '),
          ...(typeof row === 'function' ? { override: row } : row),
        }
      }),
    /** Adds to a row the profile answers that mask it. */
    masked: (
      override: Override,
      by: Answers | readonly MaskOf<Answers, RequirementId>[],
    ): Masked<Answers, RequirementId, Override> => ({
      override,
      maskedBy: Array.isArray(by) ? by : [{ answers: by as Answers }],
    }),
  }
}
