import { useMemo } from 'preact/hooks'
import { levels } from '../../spec/requirement.ts'
import { groupByClause } from '../clause.ts'
import { plural, statuses, statusLabels } from '../phrases.ts'
import type { Report } from '../report.ts'
import { everything, type Filter, matches, searchable } from './filter.ts'
import { Headline, RequirementDetails } from './requirement-details.tsx'
import { Section } from './section.tsx'

interface Given {
  readonly report: Report
  readonly filter: Filter
  readonly find: (changes: Partial<Filter>) => void
  /** The requirement that the address names. */
  readonly target: string | null
}

/** Every requirement by clause, with a search. Failures are shown above and linked from here. */
export function Requirements({ report, filter, find, target }: Given) {
  const all = useMemo(() => report.requirements.map(searchable), [report])
  const found = all.filter((one) => matches(one, filter))
  const clauses = groupByClause(all).map(({ clause }) => clause)
  const operations = [...new Set(all.flatMap((one) => [...one.operations]))].toSorted()
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
        <Choice
          name="Status"
          chosen={filter.status}
          choices={statuses}
          onChoose={(status) => find({ status })}
          labels={statusLabels}
        />
        <Choice name="Level" chosen={filter.level} choices={levels} onChoose={(level) => find({ level })} />
        <Choice name="Clause" chosen={filter.clause} choices={clauses} onChoose={(clause) => find({ clause })} />
        <Choice
          name="Operation"
          chosen={filter.operation}
          choices={operations}
          onChoose={(operation) => find({ operation })}
        />
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
              <RequirementDetails
                key={requirement.id}
                report={report}
                requirement={requirement}
                isTarget={requirement.id === target}
              />
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

interface ChoiceGiven<Value extends string> {
  readonly name: string
  readonly chosen: string
  readonly choices: readonly Value[]
  readonly onChoose: (value: string) => void
  readonly labels?: Readonly<Record<Value, string>>
}

function Choice<Value extends string>({ name, chosen, choices, onChoose, labels }: ChoiceGiven<Value>) {
  return (
    <label>
      {name}{' '}
      <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">any</option>
        {choices.map((value) => (
          <option key={value} value={value}>
            {labels?.[value] ?? value}
          </option>
        ))}
      </select>
    </label>
  )
}
