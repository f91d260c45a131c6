import { useMemo } from 'preact/hooks'
import { levels } from '../../spec/requirement.ts'
import { groupByClause, plural, statuses, statusLabels } from '../phrases.ts'
import type { Report, RequirementStatus } from '../report.ts'
import { everything, type Filter, matches, searchable } from './filter.ts'
import { Headline, RequirementDetails } from './requirement-details.tsx'
import { Section } from './section.tsx'

interface Given {
  readonly report: Report
  readonly filter: Filter
  readonly find: (changes: Partial<Filter>) => void
  readonly target: string | null
}

/** Every requirement by clause, with a search. Failures are shown above and linked from here. */
export function Requirements({ report, filter, find, target }: Given) {
  const all = useMemo(() => report.requirements.map(searchable), [report])
  const found = all.filter((one) => matches(one, filter))
  const choices = [
    ['status', statuses],
    ['level', levels],
    ['clause', groupByClause(all).map(({ clause }) => clause)],
    ['operation', [...new Set(all.flatMap((one) => [...one.operations]))].toSorted()],
  ] as const
  return (
    <Section id="requirements" title="Requirements" count={all.length}>
      <search class="find">
        <label>
          Search{' '}
          <input
            id="search"
            type="search"
            value={filter.text}
            onInput={({ currentTarget }) => find({ text: currentTarget.value })}
          />
        </label>
        {choices.map(([name, values]) => (
          <label key={name}>
            {name.charAt(0).toUpperCase() + name.slice(1)}{' '}
            <select value={filter[name]} onChange={({ currentTarget }) => find({ [name]: currentTarget.value })}>
              <option value="">any</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {name === 'status' ? statusLabels[value as RequirementStatus] : value}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="button" onClick={() => find(everything)}>
          Reset
        </button>
        <p role="status">
          {found.length} of {plural(all.length, 'requirement')}
        </p>
      </search>
      {groupByClause(found).map(({ clause, items }) => (
        <div class="clause" key={clause}>
          <h3>Clause {clause}</h3>
          {items.map(({ requirement }) =>
            requirement.status === 'failed' ? (
              <a key={requirement.id} class="requirement pointer failed" href={`#${requirement.id}`}>
                <Headline requirement={requirement} />
              </a>
            ) : (
              <RequirementDetails key={requirement.id} report={report} requirement={requirement} target={target} />
            ),
          )}
        </div>
      ))}
      <p class="note">
        Keys: <kbd>/</kbd> search, <kbd>j</kbd> and <kbd>k</kbd> next and previous requirement.
      </p>
    </Section>
  )
}
