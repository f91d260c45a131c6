import type { Report, ReportedRequirement } from './report.ts'

/** A badge was requested for a run that did not judge everything. */
export class IncompleteRunError extends Error {
  override readonly name = 'IncompleteRunError'
  readonly hint: string

  constructor({ scope, requirements }: Report) {
    super('A badge needs a complete run: this one has not judged every `required` requirement.')
    const left = requirements.filter((one) => isRequired(one) && !isJudged(one))
    const open = left.flatMap(({ checks }) => checks).filter(({ status }) => status !== 'passed')
    const reasons = [...new Set(open.map(({ message }) => message ?? 'not judged'))]
    const isChosen = scope.only.length + scope.skip.length > 0
    this.hint = [...(isChosen ? ['Run without `--only` and `--skip`.'] : []), ...reasons].join('\n')
  }
}

const colours = { conformant: '#257a3e', 'non-conformant': '#b3261e' } as const

/** The approximate width of the text at 11 pixels; the renderer fits the text to it. */
const widthOf = (text: string) => Math.round(text.length * 6.3)
const padding = 6
const label = 'copytrade-tck'

/**
 * The verdict as an SVG badge.
 *
 * @throws {IncompleteRunError} when a `required` requirement was not judged: a badge cannot show the scope
 */
export function renderBadge(report: Report): string {
  const { scope, verdict, requirements } = report
  const isPartial = scope.only.length + scope.skip.length > 0 || !requirements.filter(isRequired).every(isJudged)
  if (isPartial || verdict === 'partial' || verdict === 'incomplete') {
    throw new IncompleteRunError(report)
  }
  const left = widthOf(label) + 2 * padding
  const right = widthOf(verdict) + 2 * padding
  const text = (shown: string, x: number) =>
    `<text x="${x + padding}" y="14" textLength="${widthOf(shown)}">${shown}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${verdict}">
<title>${label}: ${verdict}</title>
<rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${colours[verdict]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(label, 0)}${text(verdict, left)}</g>
</svg>
`
}

function isRequired({ level }: ReportedRequirement): boolean {
  return level === 'required'
}

function isJudged({ status }: ReportedRequirement): boolean {
  return status === 'passed' || status === 'failed' || status === 'not-applicable'
}
