import { levels } from '../../spec/requirement.ts'
import { groupByClause, statusLabels, statusSigns } from '../phrases.ts'
import type { Report, ReportedRequirement } from '../report.ts'
import { Heads, Section } from './section.tsx'

export function RequirementMap({ report }: { readonly report: Report }) {
  return (
    <Section id="map" title="Map" note="A mark is a requirement. It leads to it.">
      <table class="map">
        <Heads heads={['Clause', ...levels]} />
        <tbody>
          {groupByClause(report.requirements).map(({ clause, items }) => (
            <tr key={clause}>
              <th scope="row">
                <a href={`#find?${new URLSearchParams({ clause })}`}>{clause}</a>
              </th>
              {levels.map((level) => (
                <td key={level}>
                  {items
                    .filter((requirement) => requirement.level === level)
                    .map((requirement) => (
                      <Mark key={requirement.id} {...requirement} />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Mark({ id, status, statement }: ReportedRequirement) {
  const label = statusLabels[status]
  return (
    <a class={`mark ${status}`} href={`#${id}`} title={`${label}: ${statement}`} aria-label={`${id}: ${label}`}>
      {statusSigns[status]}
    </a>
  )
}
