import { plural } from '../phrases.ts'
import type { Diagnosis, Report } from '../report.ts'
import { Evidence } from './evidence.tsx'
import { exampleOf, type FaultGroup, faultGroups } from './fault-groups.ts'
import { Reproduction } from './reproduction.tsx'
import { RequirementDetails } from './requirement-details.tsx'
import { Section } from './section.tsx'

interface Given {
  readonly report: Report
  /** The requirement that the address names. */
  readonly target: string | null
}

/** The failures, grouped by the fault that explains them. */
export function Failures({ report, target }: Given) {
  const groups = faultGroups(report)
  const count = groups.flatMap(({ requirements }) => requirements).length
  if (count === 0) return null
  return (
    <Section id="failures" title="Failures" count={plural(count, 'requirement')}>
      {groups.map((group) => (
        <div class="group" key={group.fault?.defects[0] ?? null}>
          {group.fault ? <FaultHead group={group} fault={group.fault} /> : <h3>Not explained by a confirmed fault</h3>}
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

/** The fault, its worst consequence, and the failure that shows it best. */
function FaultHead({ group, fault }: { readonly group: FaultGroup; readonly fault: Diagnosis }) {
  const { requirements } = group
  const example = exampleOf(group)
  return (
    <div class="fault">
      <h3>
        {fault.summaries.join(' ')} <code>{fault.defects.join(' ')}</code>
      </h3>
      <p>
        <b>Why it matters:</b> {requirements[0]?.consequence}
      </p>
      <p class="note">
        Explains {plural(fault.explains.length, 'failed check')}.{example && ` ${example.id} shows it:`}
      </p>
      {example && <Evidence check={example} />}
      {example && <Reproduction check={example} />}
    </div>
  )
}
