import { markdownCode, markdownTable, markdownText } from '../../reports/markdown.ts'
import { signsLegend, statusSigns } from '../../reports/phrases.ts'
import { changeKinds } from './change.ts'
import { type Comparison, countsOf, groupedByKind } from './comparison.ts'
import type { MatrixRow } from './matrix.ts'
import { versionText } from './render-text.ts'

/** A comparison of two reports as Markdown, for a pull request or a job summary. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { old, fresh, differencesOfRuns, changes } = comparison
  const facts = [`Before: ${versionText(old)}`, `Now: ${versionText(fresh)}`, ...differencesOfRuns]
  const parts = [
    `# ${markdownText(fresh.name)}: ${countsOf(changes)}`,
    facts.map((text) => `- ${markdownText(text)}`).join('\n'),
    ...groupedByKind(changes).flatMap(([kind, found]) => [
      `## ${changeKinds[kind].heading}`,
      markdownTable(
        ['', 'About', 'Before', 'Now'],
        found.map(({ subject, about, before, after }) => [
          markdownCode(subject),
          ...[about, before, after].map(markdownText),
        ]),
      ),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Several reports beside each other as Markdown. */
export function matrixMarkdown(rows: readonly MatrixRow[], comparisons: readonly Comparison[]): string {
  const [{ old } = { old: null }] = comparisons
  const versions = [
    ...(old === null ? [] : [versionText(old)]),
    ...comparisons.map(({ fresh, changes }) => `${versionText(fresh)}: ${countsOf(changes)}`),
  ]
  const table = markdownTable(
    ['Requirement', 'Clause', 'Level', ...versions.map((_, index) => String(index + 1))],
    rows.map(({ requirement: { id, clause, level }, statuses }) => [
      markdownCode(id),
      markdownText(clause),
      level,
      ...statuses.map((status) => (status === null ? '' : statusSigns[status])),
    ]),
  )
  const list = versions.map((text, index) => `${index + 1}. ${markdownText(text)}`).join('\n')
  return `# Comparison of ${versions.length} reports\n\n${list}\n\n${table}\n\n${signsLegend}.\n`
}
