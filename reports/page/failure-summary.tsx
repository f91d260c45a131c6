import { failures } from '../phrases.ts'
import type { Report, ReportedRequirement } from '../report.ts'
import { Section } from './section.tsx'
import { StatusBadge } from './status-badge.tsx'

/** What failed, for a reader without scripts. */
export function FailureSummary({ report }: { readonly report: Report }) {
  const { counting, findings } = failures(report)
  const all = [...counting, ...findings]
  const note =
    'A browser that runs scripts shows the evidence, the other requirements and the open questions here. summary.md holds them too.'
  return (
    <Section id="failed" title="Failures" count={all.length} note={note}>
      {all.map((requirement) => (
        <Failure key={requirement.id} {...requirement} />
      ))}
    </Section>
  )
}

function Failure({ id, clause, level, statement, status, consequence, checks }: ReportedRequirement) {
  return (
    <div class={`requirement ${status}`}>
      <div class="inside">
        <p>
          <StatusBadge status={status} /> <b>{statement}</b>{' '}
          <small>
            <code>{id}</code> clause {clause}, {level}
          </small>
        </p>
        <p>{consequence}</p>
        <ul>
          {checks
            .filter((check) => check.status === 'failed')
            .map((check) => (
              <li key={check.id}>
                <b>{check.id}</b> {check.title}
                <br />
                {check.message}
              </li>
            ))}
        </ul>
      </div>
    </div>
  )
}
