import type { Report } from '../../reports/report.ts'

/** What the kit printed and reported, of a run and of the `restore` after it. */
export interface Ended {
  readonly command: 'run' | 'restore'
  /** Null: killed. */
  readonly code: number | null
  readonly signal: string | null
  readonly output: string
  /** Null where no report was written. */
  readonly report: Report | null
}

/** What the kit said about foreign rules. */
export interface Said {
  /** Every statement, one a line, without the two lists that are shown as evidence. */
  readonly statements: readonly string[]
  /** The last exit code that is not that of a killed process. */
  readonly code: number | null
  /** Failed checks, and statements that the server did something wrong. */
  readonly blamesServer: readonly string[]
  /** What is attributed to other clients. */
  readonly blamesOthers: readonly string[]
  /** What is attributed to the kit for certain. */
  readonly blamesKit: readonly string[]
}

/** What introduces a rule that the kit removed for certain. */
const certain = /^disappeared with a request of the kit: /

const evidence = /^the list (before|after), \d+ rules?, has there/

/** A statement that the server is at fault, and not one of several explanations. */
const serverAtFault = /\bthe server (removed a rule other|lost|removed other)/

export function saidBy(ended: readonly Ended[]): Said {
  const statements = [...new Set(ended.flatMap(statementsOf))]
  const harms = ended.flatMap(({ report }) => report?.harm ?? [])
  return {
    statements,
    code: ended.findLast(({ code }) => code !== null)?.code ?? null,
    blamesServer: [
      ...ended.flatMap(({ report }) => failedChecks(report)),
      ...statements.filter((line) => serverAtFault.test(line)),
    ],
    blamesOthers: harms.flatMap(({ interference }) => interference),
    blamesKit: statements.filter((line) => certain.test(line)),
  }
}

function statementsOf({ output, report }: Ended): readonly string[] {
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

/** Whether a rule is named in one of these statements. */
export function names(statements: readonly string[], rule: string): boolean {
  return statements.some((line) => line.includes(rule))
}
