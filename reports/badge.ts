import type { Report, ReportedRequirement, RequirementStatus } from './report.ts'
import { otherFailures } from './verdict.ts'

export class IncompleteRunError extends Error {
  override readonly name = 'IncompleteRunError'
  readonly hint: string

  constructor(isChosen: boolean, left: readonly ReportedRequirement[]) {
    super('A badge needs a complete run: this one has not judged every `required` requirement.')
    const open = left.flatMap(({ checks }) => checks).filter(({ status }) => status !== 'passed')
    const reasons = new Set(open.map(({ message }) => `Not judged: ${message ?? 'no reason was recorded'}`))
    this.hint = [...(isChosen ? ['Run without `--only` and `--skip`.'] : []), ...reasons].join('\n')
  }
}

const judged: readonly RequirementStatus[] = ['passed', 'failed', 'not-applicable']
const colours = { conformant: '#257a3e', 'non-conformant': '#b3261e', failed: '#b3261e' } as const

/** The approximate width of the text at 11 pixels; the renderer fits the text to it. */
const widthOf = (text: string) => Math.round(text.length * 6.3)
const padding = 6
const label = 'copytrade-tck'

/** @throws {IncompleteRunError} when a `required` requirement was not judged: a badge cannot show the scope */
export function renderBadge(report: Report): string {
  const { scope, verdict, requirements } = report
  const isChosen = scope.only.length + scope.skip.length > 0
  const unjudged = requirements.filter(({ level, status }) => level === 'required' && !judged.includes(status))
  if (isChosen || unjudged.length > 0 || verdict === 'partial' || verdict === 'incomplete') {
    throw new IncompleteRunError(isChosen, unjudged)
  }
  const left = widthOf(label) + 2 * padding
  // The baseline, the profile or the list can fail a run of a conformant server.
  const shown = verdict === 'conformant' && otherFailures(report).length > 0 ? 'failed' : verdict
  const right = widthOf(shown) + 2 * padding
  const text = (part: string, x: number) =>
    `<text x="${x + padding}" y="14" textLength="${widthOf(part)}">${part}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${shown}">
<title>${label}: ${shown}</title>
<rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colours[shown]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, 0)}${text(shown, left)}</g>
</svg>
`
}
