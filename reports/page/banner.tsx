import { diagnosisExtent, plural } from '../phrases.ts'
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

/** The verdict, the sentence that explains it, and the faults that explain the failures. */
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
      <LikelyFaults report={report} />
    </header>
  )
}

function LikelyFaults({ report: { diagnosis, requirements } }: Given) {
  if (diagnosis === undefined || requirements.every(({ status }) => status !== 'failed')) return null
  const [best, ...others] = diagnosis
  if (best === undefined) return <p class="diagnosis">No known fault explains these failures.</p>
  return (
    <div class="diagnosis">
      <p>
        Most likely <b>{best.defects.length === 1 ? 'one fault' : 'two faults'}</b> ({diagnosisExtent(best)}):
      </p>
      <Faults {...best} />
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'other explanation')}</summary>
          {others.map((other) => (
            <div key={other.defects.join()}>
              <p>
                {other.score === best.score ? 'As likely' : 'Less likely'} ({diagnosisExtent(other)}):
              </p>
              <Faults {...other} />
            </div>
          ))}
        </details>
      )}
    </div>
  )
}

function Faults({ defects, summaries }: Diagnosis) {
  return (
    <ul>
      {defects.map((id, place) => (
        <li key={id}>
          {summaries[place]} <code>{id}</code>
        </li>
      ))}
    </ul>
  )
}
