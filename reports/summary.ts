import { levels } from '../spec/requirement.ts'
import { renderFailure } from './failure-markdown.ts'
import { markdownCode, markdownTable, markdownText } from './markdown.ts'
import {
  answerLabel,
  changesLine,
  connectionLines,
  diagnosisLine,
  differs,
  driftLine,
  failures,
  formatDuration,
  gateLine,
  knownFaultsLine,
  statuses,
  statusLabels,
  termsLabel,
} from './phrases.ts'
import type { Report } from './report.ts'
import { scopeGaps } from './verdict.ts'

/** The report as Markdown, short enough for a pull request or a job summary. */
export function renderSummary(report: Report): string {
  const { counting, findings } = failures(report)
  const parts = [
    `# Compatibility: ${report.verdict}`,
    markdownText(report.explanation),
    ...[diagnosisLine(report)].flatMap((line) => (line === null ? [] : [withCode(line)])),
    facts(report),
    counts(report),
    ...section('Deviations from the baseline', gate(report)),
    ...section('Drift from the profile', drift(report)),
    ...section('Failed', counting.map(renderFailure)),
    ...section('Findings', [
      ...(findings.length > 0 ? ['Failures below the level `required`; they do not decide the verdict.'] : []),
      ...findings.map(renderFailure),
    ]),
    ...section('Could not be judged', unjudged(report)),
    ...section('Out of scope, or not applicable', notInScope(report)),
    ...section('Answers that differ from the default', differing(report)),
    '## Changes',
    changes(report),
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
    ...[knownFaultsLine(report)].flatMap((line) => (line === null ? [] : [`- ${line}`])),
    `- Risk: ${scope.risk} · seed: ${seed} · started: ${startedAt} · took: ${formatDuration(durationMs)}`,
    `- Kit: ${markdownText(`${kit.name} ${kit.version}`)}, requirements ${markdownText(kit.requirementsVersion)}`,
  ].join('\n')
}

function counts(report: Report): string {
  const head = ['Level', ...statuses.map((status) => statusLabels[status])]
  const rows = levels.map((level) => [level, ...statuses.map((status) => String(report.summary[level][status]))])
  return markdownTable(head, rows, true)
}

function gate({ gate }: Report): string[] {
  if (!gate) return []
  const findings = gate.findings.map(({ kind, check, message }) => [kind, check, message, ''])
  const excused = gate.excused.map((known) => ['known', known.check, known.reason, termsLabel(known)])
  const rows = [...findings, ...excused].map((cells) => cells.map(markdownText))
  const table = rows.length === 0 ? [] : [markdownTable(['', 'Check', 'Reason', 'Terms'], rows)]
  return [`${markdownText(gateLine(gate))}.`, ...table]
}

function drift({ drift, scope }: Report): string[] {
  if (!drift) return []
  const rows = drift.findings.map(({ question, text, expected, answer, message }) => [
    `${markdownText(text)} ${markdownCode(question)}`,
    markdownText(expected),
    markdownText(answer ?? 'none of the known answers'),
    markdownText(message ?? ''),
  ])
  const table = rows.length === 0 ? [] : [markdownTable(['Question', 'Profile', 'Observed', 'Meaning'], rows)]
  return [`${markdownText(driftLine(drift, scope.strict))}.`, ...table]
}

/** A text whose ids between backticks are code. */
function withCode(text: string): string {
  return markdownText(text).replace(/\\`([a-z0-9.-]+)\\`/g, '`$1`')
}

function unjudged(report: Report): string[] {
  const rows = report.requirements.flatMap((requirement) =>
    requirement.checks
      .filter(({ status }) => status === 'error' || status === 'blocked')
      .map(({ id, status, message }) => [
        id,
        markdownCode(requirement.id),
        statusLabels[status],
        markdownText(message ?? ''),
      ]),
  )
  return rows.length === 0 ? [] : [markdownTable(['Check', 'Requirement', 'Status', 'Reason'], rows)]
}

function notInScope(report: Report): string[] {
  const rows = scopeGaps(report).map(({ reason, requirements, checks }) => [
    markdownText(reason),
    String(checks.length),
    requirements.map(markdownCode).join(', '),
  ])
  return rows.length === 0 ? [] : [markdownTable(['Reason', 'Checks', 'Requirements'], rows)]
}

function differing(report: Report): string[] {
  const rows = report.observations
    .filter(differs)
    .map((observation) => [
      `${markdownText(observation.text)} ${markdownCode(observation.question)}`,
      markdownText(answerLabel(observation)),
      markdownText(observation.default),
      markdownText(observation.message ?? ''),
    ])
  return rows.length === 0 ? [] : [markdownTable(['Question', 'Answer', 'Default', 'Meaning'], rows)]
}

function changes(report: Report): string {
  const { harm } = report
  const line = changesLine(report)
  const sentence = `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
  const interference = (harm?.interference ?? []).map((change) => `concurrent edit: ${change}`)
  return [
    markdownText(sentence),
    ...[...interference, ...(harm?.differences ?? [])].map((text) => `- ${markdownText(text)}`),
  ].join('\n')
}
