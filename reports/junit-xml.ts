import XMLBuilder from 'fast-xml-builder'
import type { RequirementStatus } from './report.ts'
import { visible, visibleLine } from './visible.ts'

/** The element for each status. Unjudged cases are shown as errors or skipped, never as passed. */
export const elements = {
  passed: null,
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
  'partly-judged': 'skipped',
} as const satisfies Record<RequirementStatus, string | null>

/** One case of a suite. Its texts are not escaped. */
export interface TestCase {
  readonly name: string
  readonly classname: string
  readonly durationMs: number
  /** Absent for a passed case. */
  readonly outcome?: {
    readonly element: 'failure' | 'error' | 'skipped'
    readonly type: string
    readonly message: string
    readonly text?: string
  }
  readonly output?: string
}

export interface TestSuite {
  readonly name: string
  readonly cases: readonly TestCase[]
  /** Default: the sum of its cases. */
  readonly durationMs?: number
  readonly startedAt?: string
  readonly properties?: Readonly<Record<string, string>>
}

/** An element for the builder: attributes begin with `@`, the text is `#text`, anything else is a child. */
type Element = Readonly<Record<string, unknown>>

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
})

/** Yields a JUnit file in one chunk for each suite, since a fleet has many. */
export function* renderTestSuites(name: string, suites: readonly TestSuite[]): Generator<string> {
  // The root has no `skipped`: GitLab and Jenkins know it only for a suite.
  const { skipped: _, ...all } = totals(
    suites.flatMap(({ cases }) => cases),
    suites.reduce((sum, suite) => sum + durationOf(suite), 0),
  )
  const place = '(suites)'
  const xml = attributes({ version: '1.0', encoding: 'UTF-8' })
  const root = { ...attributes({ name, ...all }), '#text': place }
  const [head = '', end = ''] = String(builder.build({ '?xml': xml, testsuites: root })).split(place)
  yield `${head}\n`
  for (const suite of suites) yield builder.build({ testsuite: suiteElement(suite) })
  yield end
}

const durationOf = ({ cases, durationMs }: TestSuite) =>
  durationMs ?? cases.reduce((sum, one) => sum + one.durationMs, 0)

function totals(cases: readonly TestCase[], durationMs: number) {
  const count = (element: string) => cases.filter(({ outcome }) => outcome?.element === element).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  }
}

function suiteElement(suite: TestSuite): Element {
  const { name, cases, startedAt, properties } = suite
  const timestamp = startedAt?.replace(/(\.\d+)?Z$/, '')
  const property = Object.entries(properties ?? {}).map(([key, value]) => attributes({ name: key, value }))
  return {
    ...attributes({ name, ...totals(cases, durationOf(suite)), ...(timestamp && { timestamp }) }),
    ...(properties && { properties: { property } }),
    testcase: cases.map(caseElement),
  }
}

function caseElement({ name, classname, durationMs, outcome, output }: TestCase): Element {
  const testcase = attributes({ name, classname, time: seconds(durationMs) })
  if (outcome === undefined) return testcase
  const { element, type, message, text } = outcome
  const content = { ...attributes({ message, type }), ...(text && { '#text': visible(text) }) }
  return { ...testcase, [element]: content, ...(output && { 'system-out': visible(output) }) }
}

function attributes(values: Readonly<Record<string, string | number>>): Element {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, visibleLine(String(value))]))
}

const seconds = (durationMs: number) => (durationMs / 1000).toFixed(3)
