import { levels } from '../spec/requirement.ts'
import { renderFailure } from './failure-markdown.ts'
import { markdownCode, markdownTable, markdownText } from './markdown.ts'
import {
  connectionLines,
  diagnosisLines,
  failures,
  formatDuration,
  knownFaultsLines,
  statuses,
  statusLabels,
} from './phrases.ts'
import type { Report } from './report.ts'
import { changeDetails, changesSentence, deviations, gaps } from './sections.ts'
import { sectionMarkdown } from './tables-markdown.ts'

/** The report as Markdown, short enough for a pull request or a job summary. */
export function renderSummary(report: Report): string {
  const { counting, findings } = failures(report)
  const parts = [
    `# Compatibility: ${report.verdict}`,
    markdownText(report.explanation),
    ...diagnosisOf(report),
    facts(report),
    counts(report),
    ...deviations(report).flatMap(sectionMarkdown),
    ...section('Failed', counting.map(renderFailure)),
    ...section('Findings', [
      ...(findings.length > 0 ? ['Failures below the level `required`; they do not decide the verdict.'] : []),
      ...findings.map(renderFailure),
    ]),
    ...gaps(report).flatMap(sectionMarkdown),
    '## Changes',
    [markdownText(changesSentence(report)), ...changeDetails(report).map((text) => `- ${markdownText(text)}`)].join(
      '\n',
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts]
}

function facts(report: Report): string {
  const { target, platform, scope, seed, startedAt, durationMs, kit } = report
  const plugin = target.plugin === null ? '' : ` (${markdownText(`${target.plugin.name} ${target.plugin.version}`)})`
  return [
    ...(platform?.alone ? [] : [`- Target: ${markdownCode(target.url)}${plugin}`]),
    ...connectionLines(report).map((line) => `- **${markdownText(line)}**`),
    ...(platform ? [`- Platform: ${markdownCode(platform.url)} · risk: ${platform.risk}`] : []),
    ...knownFaultsLines(report).map((line) => `- ${line}`),
    `- Risk: ${scope.risk} · seed: ${seed} · started: ${startedAt} · took: ${formatDuration(durationMs)}`,
    `- Kit: ${markdownText(`${kit.name} ${kit.version}`)}, requirements ${markdownText(kit.requirementsVersion)}`,
  ].join('\n')
}

function counts(report: Report): string {
  const head = ['Level', ...statuses.map((status) => statusLabels[status])]
  const rows = levels.map((level) => [level, ...statuses.map((status) => String(report.summary[level][status]))])
  return markdownTable(head, rows, true)
}

/** The headline, and a list of the faults. */
function diagnosisOf(report: Report): readonly string[] {
  const [headline, ...faults] = diagnosisLines(report).map(withCode)
  return headline === undefined
    ? []
    : [headline, ...(faults.length > 0 ? [faults.map((line) => `- ${line}`).join('\n')] : [])]
}

/** A text whose ids between backticks are code. */
function withCode(text: string): string {
  return markdownText(text).replace(/\\`([a-z0-9.-]+)\\`/g, '`$1`')
}
