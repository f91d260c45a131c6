import { attributes, type Element, elements, renderTestSuites, seconds } from '../../reports/junit-xml.ts'
import { statusLabels } from '../../reports/phrases.ts'
import { visible, visibleLine } from '../../reports/visible.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'

/** The fleet as JUnit XML: a suite per install, a case per requirement. An install without a report is an error. */
export function renderFleetJunit({ kit, installs }: Fleet): string {
  const suites = installs.map(suiteOf)
  const all = suites.flatMap(({ cases }) => cases)
  const durationMs = installs.reduce((sum, install) => sum + install.durationMs, 0)
  // The root has no `skipped`: GitLab and Jenkins know it only for a suite.
  const { skipped: _, ...counts } = totals(all)
  return renderTestSuites({
    ...attributes({ name: kit.name, ...counts, time: seconds(durationMs) }),
    testsuite: suites.map(({ install, cases }) => ({
      ...attributes({ name: visibleLine(install.name), ...totals(cases), time: seconds(install.durationMs) }),
      testcase: cases,
    })),
  })
}

function suiteOf(install: FleetInstall): { readonly install: FleetInstall; readonly cases: readonly Element[] } {
  if (install.verdict !== null) {
    return { install, cases: Object.keys(install.statuses).map((requirement) => caseOf(install, requirement)) }
  }
  const error = attributes({ message: visibleLine(install.explanation), type: `exit code ${install.exitCode}` })
  return { install, cases: [{ ...caseAttributes(install, 'run'), error }] }
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

function totals(cases: readonly Element[]) {
  const count = (element: 'failure' | 'error' | 'skipped') => cases.filter((one) => element in one).length
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') }
}
