import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { visibleJson } from '../../reports/visible.ts'
import { type Change, changesBetween } from '../compare/changes.ts'
import type { FleetInstall } from '../fleet-document.ts'
import { readReport } from '../report/read-report.ts'
import type { Install } from './installs.ts'
import { type JudgedInstall, judgeInstall } from './judge-install.ts'
import { verdictOf } from './render-text.ts'

interface JudgedAgain extends JudgedInstall {
  /** What differs from the last report that there was. */
  readonly changes: readonly Change[]
}

/** A run that has begun is not interrupted: what it had not judged yet would look like a change. */
const never = new AbortController().signal

/** Judges an install, and compares its report with the last one. That stays until there is a newer one. */
export async function judgeAgain(install: Install, out: string): Promise<JudgedAgain> {
  const path = join(out, install.name, 'report.json')
  const previous = join(out, install.name, 'previous.json')
  if (existsSync(path)) renameSync(path, previous)
  const judged = await judgeInstall(install, out, never)
  const isCompared = judged.report !== null && existsSync(previous)
  return { ...judged, changes: isCompared ? changesBetween(readReport(previous), judged.report) : [] }
}

/** One line of JSON for each change, that of the verdict first. `last` is null at the first look. */
export function changeLines(
  install: FleetInstall,
  last: FleetInstall | null,
  changes: readonly Change[],
): readonly string[] {
  const { name, target, exitCode, explanation: about, startedAt: time } = install
  const before = last && verdictOf(last)
  const after = verdictOf(install)
  const verdict = before === after ? [] : [{ kind: 'verdict', subject: 'verdict', about, before, after }]
  return [...verdict, ...changes].map((change) => visibleJson({ time, install: name, target, exitCode, ...change }, 0))
}
