import { renderFailure } from './failure-markdown.ts'
import { markdownText } from './markdown.ts'
import { diagnosisLines, failures } from './phrases.ts'
import type { Report } from './report.ts'
import { deviations, gaps, overview } from './sections.ts'
import { cellMarkdown, listMarkdown, sectionMarkdown } from './tables-markdown.ts'

const findingsNote = 'Failures below the level `required`; they do not decide the verdict.'

/** The report as Markdown, short enough for a pull request or a job summary. */
export function renderSummary(report: Report): string {
  const { counting, findings } = failures(report)
  const parts = [
    `# Compatibility: ${report.verdict}`,
    markdownText(report.explanation),
    ...diagnosisOf(report),
    // What was not judged is below, in full.
    ...[...overview(report).filter(({ id }) => id !== 'unjudged'), ...deviations(report)].flatMap(sectionMarkdown),
    ...(counting.length === 0 ? [] : ['## Failed', ...counting.map(renderFailure)]),
    ...(findings.length === 0 ? [] : ['## Findings', findingsNote, ...findings.map(renderFailure)]),
    ...gaps(report).flatMap(sectionMarkdown),
  ]
  return `${parts.join('\n\n')}\n`
}

function diagnosisOf(report: Report): readonly string[] {
  const [headline, ...faults] = diagnosisLines(report).map((prose) => ({ prose }))
  return headline === undefined ? [] : [cellMarkdown(headline), ...listMarkdown(faults)]
}
