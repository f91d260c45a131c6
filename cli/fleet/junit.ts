import { attributes, type Element, elements, renderTestSuites, seconds } from '../../reports/junit-xml.ts'
import { statusLabels } from '../../reports/phrases.ts'
import { visible, visibleLine } from '../../reports/visible.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'

/** The fleet as JUnit XML, in pieces: a suite per install, a case per requirement. An install without a report is an error. */
export function* renderFleetJunit({ kit, installs }: Fleet): Generator<string> {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const counts = installs.map(countsOf)
  const root = attributes({
    name: kit.name,
    // The root has no `skipped`: GitLab and Jenkins know it only for a suite.
    tests: sum(counts.map(({ tests }) => tests)),
    failures: sum(counts.map(({ failures }) => failures)),
    errors: sum(counts.map(({ errors }) => errors)),
    time: seconds(sum(installs.map(({ durationMs }) => durationMs))),
  })
  yield* renderTestSuites(root, suitesOf(installs))
}

function* suitesOf(installs: readonly FleetInstall[]): Generator<Element> {
  for (const install of installs) {
    const { name, durationMs } = install
    const totals = attributes({ name: visibleLine(name), ...countsOf(install), time: seconds(durationMs) })
    yield { ...totals, testcase: casesOf(install) }
  }
}

function countsOf({ verdict, statuses }: FleetInstall) {
  const all = Object.values(statuses).map((status) => elements[status])
  const count = (element: 'failure' | 'error' | 'skipped') => all.filter((one) => one === element).length
  if (verdict === null) return { tests: 1, failures: 0, errors: 1, skipped: 0 }
  return { tests: all.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') }
}

function casesOf(install: FleetInstall): readonly Element[] {
  if (install.verdict !== null) return Object.keys(install.statuses).map((requirement) => caseOf(install, requirement))
  const error = attributes({ message: visibleLine(install.explanation), type: `exit code ${install.exitCode}` })
  return [{ ...caseAttributes(install, 'run'), error }]
}

function caseAttributes({ name }: FleetInstall, requirement: string): Element {
  return attributes({ name: visibleLine(requirement), classname: visibleLine(name), time: seconds(0) })
}

function caseOf(install: FleetInstall, requirement: string): Element {
  const status = install.statuses[requirement] ?? 'out-of-scope'
  const testcase = caseAttributes(install, requirement)
  const element = elements[status]
  if (element === null) return testcase
  const failures = install.failures.filter((one) => one.requirement === requirement)
  const text = failures.map(({ check, code, message }) => `${check} ${code ?? ''}: ${message}`).join('\n')
  const [first] = failures
  const verdict = attributes({
    message: visibleLine(first?.message ?? statusLabels[status]),
    type: first?.level ?? status,
  })
  return { ...testcase, [element]: text === '' ? verdict : { ...verdict, '#text': visible(text) } }
}
