import { plural } from '../phrases.ts'
import type { Report } from '../report.ts'
import { Evidence } from './evidence.tsx'
import { exampleOf, type FaultGroup, failedChecks, faultGroups } from './fault-groups.ts'
import { Reproduction } from './reproduction.tsx'
import { RequirementDetails } from './requirement-details.tsx'
import { Section } from './section.tsx'

interface Given {
  readonly report: Report
  /** The requirement that the address names. */
  readonly target: string | null
}

/** What failed, grouped by the fault that explains it. */
export function Failures({ report, target }: Given) {
  const groups = faultGroups(report)
  const count = groups.flatMap(({ requirements }) => requirements).length
  if (count === 0) return null
  return (
    <Section id="failures" title="Failures" count={plural(count, 'requirement')}>
      {groups.map((group) => (
        <div class="group" key={group.defects.join()}>
          {group.defects.length > 0 ? <FaultHead group={group} /> : <h3>{headingOfRest(groups.length)}</h3>}
          {group.requirements.map((requirement) => (
            <RequirementDetails
              key={requirement.id}
              report={report}
              requirement={requirement}
              isTarget={requirement.id === target}
            />
          ))}
        </div>
      ))}
    </Section>
  )
}

const headingOfRest = (groups: number) => (groups > 1 ? 'Not explained by it' : 'No known fault explains these')

/** The fault, its worst consequence, and the failure that shows it best. */
function FaultHead({ group }: { readonly group: FaultGroup }) {
  const { defects, summaries, requirements } = group
  const example = exampleOf(group)
  const checks = requirements.flatMap(failedChecks).filter(({ explainedBy }) => explainedBy)
  const extent = `${plural(checks.length, 'failed check')} of ${plural(requirements.length, 'requirement')}`
  return (
    <div class="fault">
      <h3>
        {summaries.map((summary, place) => (
          <span key={summary}>
            {summary} <code>{defects[place]}</code>
          </span>
        ))}
      </h3>
      <p>
        <b>Why it matters:</b> {requirements[0]?.consequence}
      </p>
      <p class="note">
        Explains {extent}.{example && ` ${example.id} shows it:`}
      </p>
      {example && <Evidence check={example} />}
      {example && <Reproduction check={example} />}
    </div>
  )
}
