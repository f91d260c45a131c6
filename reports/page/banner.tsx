import { diagnosisLines } from '../phrases.ts'
import type { Report } from '../report.ts'
import { WithCode } from './section.tsx'

const verdicts = {
  conformant: ['✓', 'Conformant'],
  partial: ['◐', 'Partial'],
  'non-conformant': ['✕', 'Non-conformant'],
  incomplete: ['?', 'Incomplete'],
} as const

interface Given {
  readonly report: Report
}

export function Banner({ report }: Given) {
  const { verdict, explanation, kit } = report
  const [sign, label] = verdicts[verdict]
  return (
    <header class={`banner ${verdict}`}>
      <p class="kit">
        {kit.name} {kit.version}, requirements {kit.requirementsVersion}
      </p>
      <h1>
        <span aria-hidden="true">{sign}</span> {label}
      </h1>
      <p>{explanation}</p>
      <Faults report={report} />
    </header>
  )
}

/** What is known about the faults behind the failures, as in the other forms of the report. */
function Faults({ report }: Given) {
  const [headline, ...faults] = diagnosisLines(report)
  if (headline === undefined) return null
  return (
    <div class="diagnosis">
      <p>{report.diagnosis.some(({ confirmed }) => confirmed) ? <b>{headline}</b> : headline}</p>
      <ul>
        {faults.map((line) => (
          <li key={line}>
            <WithCode text={line} />
          </li>
        ))}
      </ul>
    </div>
  )
}
