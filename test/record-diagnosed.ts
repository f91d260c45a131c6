import { readFileSync, writeFileSync } from 'node:fs'
import { failureSummary } from '../suites/runner/failure-summary.ts'
import type { Outcome } from '../suites/runner/outcome.ts'

type Diagnosed = Record<string, { readonly same: readonly string[]; readonly failures: readonly string[] }>

/** Replaces the recorded failures of a fault, if a `diagnosed.json` names the equivalent defects. */
export function recordDiagnosed(server: string, fault: string, outcomes: readonly Outcome[]): void {
  const file = new URL(`../fixtures/servers/${server}/diagnosed.json`, import.meta.url)
  const diagnosed = JSON.parse(readFileSync(file, 'utf8')) as Diagnosed
  const known = diagnosed[fault]
  if (known === undefined) return
  const failures = outcomes
    .filter(({ status }) => status === 'failed')
    .map((outcome) => `${outcome.check}:${outcome.code}:${failureSummary(outcome)}`)
  if (failures.length === 0) throw new Error(`no check fails for ${fault}: its earlier record stays`)
  writeFileSync(file, `${JSON.stringify({ ...diagnosed, [fault]: { ...known, failures } }, null, 2)}\n`)
}
