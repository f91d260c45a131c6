import type { DefectOf, MaskOf } from './defect.ts'

/** What a defect does, with the answers that mask it. */
export interface Masked<Answers, RequirementId extends string, Override> {
  readonly override: Override
  readonly maskedBy: readonly MaskOf<Answers, RequirementId>[]
}

/** The two parts of a table of defects, for one API. */
export function rowsOf<Answers, RequirementId extends string, Override extends (hooks: never) => unknown>() {
  return {
    /** Defects that break the same requirements: what each does, by its id and, in one sentence, how the server is wrong. */
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
    /** A row that cannot be observed with these answers of a profile. */
    masked: (
      override: Override,
      maskedBy: readonly MaskOf<Answers, RequirementId>[],
    ): Masked<Answers, RequirementId, Override> => ({ override, maskedBy }),
  }
}
