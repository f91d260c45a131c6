import { statusLabels, statusSigns } from '../phrases.ts'
import type { RequirementStatus } from '../report.ts'

/** A status as a sign and a word. */
export function StatusBadge({ status }: { readonly status: RequirementStatus }) {
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{statusSigns[status]}</span> {statusLabels[status]}
    </span>
  )
}
