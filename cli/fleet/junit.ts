import { elements, renderTestSuites, type TestCase } from '../../reports/junit-xml.ts'
import { statusLabels } from '../../reports/phrases.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'

/** The fleet as JUnit XML, in pieces: a suite per install, a case per requirement. An install without a report is an error. */
export function renderFleetJunit({ kit, installs }: Fleet): Generator<string> {
  const suites = installs.map((install) => {
    const { name, durationMs } = install
    return { name, durationMs, cases: casesOf(install) }
  })
  return renderTestSuites(kit.name, suites)
}

function casesOf(install: FleetInstall): readonly TestCase[] {
  const { name: classname, verdict, statuses, explanation, exitCode } = install
  if (verdict !== null) return Object.keys(statuses).map((requirement) => caseOf(install, requirement))
  const outcome = { element: 'error', type: `exit code ${exitCode}`, message: explanation } as const
  return [{ name: 'run', classname, durationMs: 0, outcome }]
}

function caseOf({ name: classname, statuses, failures }: FleetInstall, requirement: string): TestCase {
  const status = statuses[requirement] ?? 'out-of-scope'
  const testcase = { name: requirement, classname, durationMs: 0 }
  const element = elements[status]
  if (element === null) return testcase
  const own = failures.filter((one) => one.requirement === requirement)
  const text = own.map(({ check, code, message }) => `${check} ${code ?? ''}: ${message}`).join('\n')
  const message = own[0]?.message ?? statusLabels[status]
  return { ...testcase, outcome: { element, type: own[0]?.level ?? status, message, text } }
}
