import { markdownBlock, markdownCode, markdownText } from './markdown.ts'
import { failedChecks } from './phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from './report.ts'

/** A failed requirement as Markdown, with everything needed to reproduce it. */
export function renderFailure(requirement: ReportedRequirement): string {
  const head = [
    `### ${markdownCode(requirement.id)}`,
    `**Clause ${markdownText(requirement.clause)}, ${requirement.level}:** ${markdownText(requirement.statement)}`,
    `**Consequence:** ${markdownText(requirement.consequence)}`,
  ]
  return [...head, ...failedChecks(requirement).flatMap(failedCheck)].join('\n\n')
}

/** The same for an issue tracker, with the versions of the kit and the target. */
export function renderIssue(requirement: ReportedRequirement, { kit, target, platform, seed }: Report): string {
  const judged = platform && requirement.id.startsWith('platform.') ? platform.url : target.url
  const plugin =
    target.plugin === null || judged !== target.url ? '' : ` (${target.plugin.name} ${target.plugin.version})`
  const origin = `${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}, seed ${seed}: ${judged}${plugin}`
  return `${renderFailure(requirement)}\n\nFound by ${markdownText(origin)}.\n`
}

function failedCheck(check: ReportedCheck): string[] {
  const heading = `**${markdownText(check.id)}** ${markdownText(check.title)}`
  const block = (name: string, language: string, text: string | null) =>
    text === null ? [] : [`${name}:`, markdownBlock(language, text)]
  return [
    heading,
    ...(check.message === null ? [] : [markdownText(check.message)]),
    ...(check.explainedBy ? [`Explained by: ${check.explainedBy.map(markdownCode).join(', ')}`] : []),
    ...block('Expected', 'text', check.expected),
    ...block('Actual', 'text', check.actual),
    ...block('Reproduce', 'sh', check.script ?? check.curl),
  ]
}
