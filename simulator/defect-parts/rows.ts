import type { DefectOf, MaskOf } from './defect.ts'

/** One defect: how the server is wrong, in one plain sentence; what it does; the answers that mask it. */
type Row<Answers, RequirementId extends string, Override> = readonly [
  summary: string,
  override: Override,
  maskedBy?: readonly MaskOf<Answers, RequirementId>[],
]

/** A table of defects that break the same requirements, by id. */
export function rowsOf<Answers, RequirementId extends string, Override>() {
  return (
    breaks: RequirementId | readonly [RequirementId, ...RequirementId[]],
    table: Readonly<Record<string, Row<Answers, RequirementId, Override>>>,
  ): readonly DefectOf<Answers, RequirementId, Override>[] =>
    Object.entries(table).map(([id, [summary, override, maskedBy]]) => ({
      id,
      breaks: typeof breaks === 'string' ? [breaks] : breaks,
      summary,
      override,
      ...(maskedBy && { maskedBy }),
    }))
}
