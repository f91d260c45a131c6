import { useEffect, useMemo, useState } from 'preact/hooks'
import { failures } from '../phrases.ts'
import type { Report } from '../report.ts'
import { deviations, responseTimes } from '../sections.ts'
import { Failures } from './failures.tsx'
import { everything, type Filter, filterIn, hashFor } from './filter.ts'
import { Questions } from './questions.tsx'
import { RequirementMap } from './requirement-map.tsx'
import { Requirements } from './requirements.tsx'
import { Navigation, SectionContent } from './section.tsx'

/** Everything below the overview. The URL fragment says what is open: `#plugin.delete.keeps-order`, or a filter. */
export function ReportPage({ report }: { readonly report: Report }) {
  const [hash, setHash] = useState(location.hash)
  const [filter, setFilter] = useState<Filter>(() => filterIn(location.hash) ?? everything)
  // The listeners stay, since the page is never removed.
  useEffect(() => {
    addEventListener('hashchange', () => {
      setHash(location.hash)
      setFilter((before) => filterIn(location.hash) ?? before)
    })
    addEventListener('keydown', obey)
  }, [])
  const target = useMemo(() => requirementIn(report, hash), [report, hash])
  useEffect(() => {
    const shown = document.getElementById(filterIn(hash) ? 'requirements' : hash.slice(1))
    if (hash !== '') shown?.scrollIntoView()
  }, [hash])
  const shownFilter = target === null ? filter : everything
  const find = (changes: Partial<Filter>) => {
    const next = { ...shownFilter, ...changes }
    setFilter(next)
    // The address no longer names a requirement.
    setHash('')
    history.replaceState(null, '', hashFor(next))
  }
  return (
    <>
      <Navigation label="Sections of this report" sections={sectionsOf(report)} />
      {deviations(report).map((section) => (
        <SectionContent key={section.id} {...section} />
      ))}
      <Failures report={report} target={target} />
      <div class="maps">
        <RequirementMap report={report} />
        {responseTimes(report).map((section) => (
          <SectionContent key={section.id} {...section} />
        ))}
      </div>
      <Requirements report={report} filter={shownFilter} find={find} target={target} />
      <Questions report={report} />
    </>
  )
}

function sectionsOf(report: Report) {
  const { requirements, observations } = report
  const failed = failures(report).all.length
  return [
    ...(failed > 0 ? [{ id: 'failures', title: 'Failures', count: failed }] : []),
    { id: 'map', title: 'Map' },
    ...responseTimes(report),
    { id: 'requirements', title: 'Requirements', count: requirements.length },
    ...(observations.length > 0 ? [{ id: 'questions', title: 'Open questions', count: observations.length }] : []),
  ]
}

/** The id of the requirement that a URL fragment names, directly or by one of its checks; null for none. */
function requirementIn({ requirements }: Report, hash: string): string | null {
  const name = hash.slice(1)
  const named = requirements.find(({ id, checks }) => id === name || checks.some((check) => check.id === name))
  return named?.id ?? null
}

/** `/` goes to the search, `j` and `k` to the next and the previous failure or requirement. */
function obey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea')
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === '/') document.querySelector<HTMLElement>('#search')?.focus()
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else return
  event.preventDefault()
}

function step(by: 1 | -1): void {
  const headlines = [...document.querySelectorAll<HTMLElement>('.requirement > summary, a.requirement')]
  const focused = headlines.indexOf(document.activeElement as HTMLElement)
  headlines[focused < 0 ? 0 : Math.min(Math.max(focused + by, 0), headlines.length - 1)]?.focus()
}
