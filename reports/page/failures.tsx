import { canShowFailure } from '../../suites/runner/outcome.ts'
import { failedChecks, failures, plural, reenactedFaults } from '../phrases.ts'
import type { Diagnosis, Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { Evidence } from './evidence.tsx'
import { listShiftOf } from './list-shift.ts'
import { Reproduction } from './reproduction.tsx'
import { RequirementDetails } from './requirement-details.tsx'
import { Section } from './section.tsx'

interface Given {
  readonly report: Report
  readonly target: string | null
}

export function Failures({ report, target }: Given) {
  const groups = faultGroups(report)
  const count = groups.flatMap(({ requirements }) => requirements).length
  if (count === 0) return null
  return (
    <Section id="failures" title="Failures" count={plural(count, 'requirement')}>
      {groups.map((group) => (
        <div class="group" key={group.fault?.defects[0] ?? null}>
          {group.fault ? <FaultHead {...group} fault={group.fault} /> : <h3>Not explained by a known fault</h3>}
          {group.requirements.map((requirement) => (
            <RequirementDetails key={requirement.id} report={report} requirement={requirement} target={target} />
          ))}
        </div>
      ))}
    </Section>
  )
}

interface Fault {
  readonly fault: Diagnosis
  readonly requirements: readonly ReportedRequirement[]
}

function FaultHead({ fault, requirements }: Fault) {
  const example = exampleOf(requirements, fault)
  return (
    <div class="fault">
      <h3>
        {fault.summaries.join(' ')} <code>{fault.defects.join(' ')}</code>
      </h3>
      <p>
        <b>Why it matters:</b> {requirements[0]?.consequence}
      </p>
      <p class="note">
        {fault.confirmed ? 'Explains' : 'Possible: may explain'} {plural(fault.explains.length, 'failed check')}.
        {example && ` ${example.id} shows it:`}
      </p>
      {example && <Evidence check={example} />}
      {example && <Reproduction check={example} />}
    </div>
  )
}

/** Groups requirements by the fault that explains their first failure. Those that decide the verdict come first. */
function faultGroups(report: Report) {
  const failed = failures(report).all
  const nameOf = (requirement: ReportedRequirement) =>
    failedChecks(requirement).flatMap(({ explainedBy = [] }) => explainedBy)[0]
  return [...reenactedFaults(report), null]
    .map((fault) => ({ fault, requirements: failed.filter((one) => nameOf(one) === fault?.defects[0]) }))
    .filter(({ requirements }) => requirements.length > 0)
}

/** The failure that shows a fault best: with a picture, with a script that judges, with few steps. */
export function exampleOf(
  requirements: readonly ReportedRequirement[],
  { explains }: Pick<Diagnosis, 'explains'>,
): ReportedCheck | undefined {
  const rank = (check: ReportedCheck) => {
    const { script = '' } = check
    const titles = listShiftOf(check)?.titles
    const picture = titles === undefined ? 2 : titles[0] === 'Before' ? 0 : 1
    return [picture, canShowFailure(script) ? 0 : 1, script.length]
  }
  const explained = requirements.flatMap(failedChecks).filter(({ id }) => explains.includes(id))
  const ranked = explained.map((check) => ({ check, rank: rank(check) }))
  const byRank = (one: readonly number[], other: readonly number[]) =>
    one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  return ranked.toSorted((one, other) => byRank(one.rank, other.rank))[0]?.check
}
