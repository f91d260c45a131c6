import { markdownCode, markdownTable, markdownText } from '../../reports/markdown.ts'
import { signsLegend, statusSigns } from '../../reports/phrases.ts'
import { changeKinds } from './change.ts'
import { type Comparison, columnsOf, countsOf, groupedByKind } from './comparison.ts'
import type { Rendering } from './format.ts'
import type { MatrixRow } from './matrix.ts'

/** Comparisons as Markdown, for a pull request or a job summary. */
export const markdown: Rendering = {
  comparison: comparisonMarkdown,
  matrix: matrixMarkdown,
  fleets: ({ comparisons, notCompared, total }) =>
    [
      ...comparisons.map(comparisonMarkdown),
      ...[...notCompared, total].map((line) => `- ${markdownText(line)}`),
      '',
    ].join('\n'),
}

function comparisonMarkdown({ name, before, now, differencesOfRuns, changes }: Comparison): string {
  const facts = [`Before: ${before}`, `Now: ${now}`, ...differencesOfRuns]
  const parts = [
    `# ${markdownText(name)}: ${countsOf(changes)}`,
    facts.map((text) => `- ${markdownText(text)}`).join('\n'),
    ...groupedByKind(changes).flatMap(([kind, found]) => [
      `## ${changeKinds[kind].heading}`,
      markdownTable(
        ['', 'About', 'Before', 'Now'],
        found.map((change) => [
          markdownCode(change.subject),
          ...[change.about, change.before, change.after].map(markdownText),
        ]),
      ),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function matrixMarkdown(rows: readonly MatrixRow[], comparisons: readonly Comparison[]): string {
  const columns = columnsOf(comparisons)
  const table = markdownTable(
    ['Requirement', 'Clause', 'Level', ...columns.map((_, index) => String(index + 1))],
    rows.map(({ requirement: { id, clause, level }, statuses }) => [
      markdownCode(id),
      markdownText(clause),
      level,
      ...statuses.map((status) => (status === null ? '' : statusSigns[status])),
    ]),
  )
  const list = columns.map((text, index) => `${index + 1}. ${markdownText(text)}`).join('\n')
  return `# Comparison of ${columns.length} reports\n\n${list}\n\n${table}\n\n${signsLegend}.\n`
}
