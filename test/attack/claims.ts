import type { Report } from '../../reports/report.ts'

/** What the kit printed and reported, for a run and the `restore` after it. */
export interface EndedCommandRun {
  readonly command: 'run' | 'restore'
  /** Null if it was killed. */
  readonly code: number | null
  readonly signal: string | null
  readonly output: string
  /** Null if no report was written. */
  readonly report: Report | null
}

/** What the kit stated about foreign rules. */
export interface Claims {
  /** Every statement, one per line, without the two lists that are shown as evidence. */
  readonly statements: readonly string[]
  /** The last exit code of a process that was not killed. */
  readonly code: number | null
  /** Failed checks, and statements that the server did something wrong. */
  readonly blamesServer: readonly string[]
  /** Changes that are attributed to other clients. */
  readonly blamesOthers: readonly string[]
  /** Changes that are attributed to the kit with certainty. */
  readonly blamesKit: readonly string[]
}

/** The text before a rule that the kit removed with certainty. */
const certain = /^disappeared with a request of the kit: /

const evidence = /^the list (before|after) \(rules: \d+\), where it differs/

/** A statement that the server is at fault, not one of several explanations. */
const serverAtFault = /\bthe server (removed a rule other|lost|removed other)/

export function claimsOf(ended: readonly EndedCommandRun[]): Claims {
  const statements = [...new Set(ended.flatMap(statementsOf))]
  const changes = ended.flatMap(({ report }) => report?.harm ?? [])
  return {
    statements,
    code: ended.findLast(({ code }) => code !== null)?.code ?? null,
    blamesServer: [
      ...ended.flatMap(({ report }) => failedChecks(report)),
      ...statements.filter((line) => serverAtFault.test(line)),
    ],
    blamesOthers: changes.flatMap(({ interference }) => interference),
    blamesKit: statements.filter((line) => certain.test(line)),
  }
}

function statementsOf({ output, report }: EndedCommandRun): readonly string[] {
  const texts = [output, ...(report?.harm?.differences ?? []), ...messagesOf(report)]
  return texts
    .flatMap((text) => text.split(/\n|; /))
    .flatMap((text) => {
      const line = text.trim()
      return line === '' || evidence.test(line) ? [] : [line]
    })
}

function messagesOf(report: Report | null): readonly string[] {
  return checksOf(report).flatMap(({ message }) => message ?? [])
}

function failedChecks(report: Report | null): readonly string[] {
  return checksOf(report).flatMap(({ id, status, message }) => (status === 'failed' ? [`${id}: ${message}`] : []))
}

function checksOf(report: Report | null) {
  return report?.requirements.flatMap(({ checks }) => checks) ?? []
}

/** Whether one of these statements names a rule. */
export function names(statements: readonly string[], rule: string): boolean {
  return statements.some((line) => line.includes(rule))
}
