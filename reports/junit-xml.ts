import XMLBuilder from 'fast-xml-builder'
import type { RequirementStatus } from './requirement-status.ts'

/** An element for the builder: attributes begin with `@`, the text is `#text`, anything else is a child. */
export type Element = Readonly<Record<string, unknown>>

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
})

/** The element for each status: what could not be judged is red or grey, never green. */
export const elements = {
  passed: null,
  'partly-judged': null,
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
} as const satisfies Record<RequirementStatus, string | null>

/** A JUnit file with these attributes of its root element; a piece for each suite, since a fleet has many. */
export function* renderTestSuites(root: Element, suites: Iterable<Element>): Generator<string> {
  const place = '(suites)'
  const whole: string = builder.build({ '?xml': xml, testsuites: { ...root, '#text': place } })
  const [head = '', end = ''] = whole.split(place)
  yield `${head}\n`
  for (const testsuite of suites) yield builder.build({ testsuite })
  yield end
}

const xml = attributes({ version: '1.0', encoding: 'UTF-8' })

export function attributes(values: Readonly<Record<string, string | number>>): Element {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, String(value)]))
}

export const seconds = (durationMs: number) => (durationMs / 1000).toFixed(3)
