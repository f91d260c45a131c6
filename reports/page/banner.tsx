import { diagnosisHeadline, plural } from '../phrases.ts'
import type { Diagnosis, Report } from '../report.ts'

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

function Faults({ report }: Given) {
  const headline = diagnosisHeadline(report)
  if (headline === null) return null
  return (
    <div class="diagnosis">
      <p>{report.diagnosis.some(({ confirmed }) => confirmed) ? <b>{headline}</b> : headline}</p>
      <ul>
        {report.diagnosis.map((fault) => (
          <Fault key={fault.defects.join()} {...fault} />
        ))}
      </ul>
    </div>
  )
}

function Fault({ defects, summaries, alternatives, explains, reenacted, confirmed }: Diagnosis) {
  const possible = reenacted ? 'possible, may explain' : 'not confirmed, nearest to'
  return (
    <li>
      {summaries.join(' ')} <code>{defects.join()}</code>
      {alternatives.map((id) => (
        <span key={id}>
          {' '}
          or <code>{id}</code>
        </span>
      ))}{' '}
      <small>
        {confirmed ? 'explains' : possible} {plural(explains.length, 'failure')}
      </small>
    </li>
  )
}
