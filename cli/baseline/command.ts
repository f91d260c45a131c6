import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Report } from '../../reports/report.ts'
import { plural } from '../../reports/wording.ts'
import { UsageError } from '../command-error.ts'

/** What the command line of `baseline` holds. */
interface BaselineFlags {
  readonly out: string
  readonly merge?: string
  readonly force: boolean
}

/** `copytrade-tck baseline`: writes the failures of a report as known ones. */
export function baselineCommand(): Command {
  return new Command('baseline')
    .description('write the failures of a report as known failures, their reasons left to fill in')
    .argument('<report.json>', 'report of a run')
    .option('--out <file>', 'file to write, YAML or, with the ending .json, JSON', 'known-failures.yaml')
    .option('--merge <file>', 'keep what this baseline says about checks that still fail in the same way')
    .option('--force', 'overwrite the file if it exists', false)
    .action(writeBaseline)
}

async function writeBaseline(reportPath: string, { out, merge, force }: BaselineFlags): Promise<void> {
  const { readBaseline } = await import('./read-baseline.ts')
  const { baselineJson, baselineOf, baselineYaml } = await import('./write-baseline.ts')
  const report = readReport(reportPath)
  const baseline = baselineOf(report, merge === undefined ? null : readBaseline(merge, 'open'))
  const text = out.endsWith('.json') ? baselineJson(baseline) : baselineYaml(baseline, report)
  if (existsSync(out) && !force) {
    throw new UsageError(`${out} exists already.`, 'Choose another file with --out, or overwrite it with --force.')
  }
  write(out, text)
  const open = baseline.knownFailures.filter(({ reason }) => reason === '').length
  process.stdout.write(
    `${plural(baseline.knownFailures.length, 'known failure')} written to ${out}; ${plural(open, 'reason')} to fill in.\n`,
  )
}

function readReport(path: string): Report {
  const hint = 'Give the report.json that copytrade-tck run wrote.'
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report
    if (report?.schema === 'copytrade-tck/report@1' && isWhole(report)) return report
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${path} cannot be read: ${reason}.`, hint, { cause })
  }
  throw new UsageError(`${path} is no report of this kit.`, hint)
}

/** What is read of a report; the rest may be as it likes. */
function isWhole({ requirements, scope }: Partial<Report>): boolean {
  return scope !== undefined && Array.isArray(requirements) && requirements.every((one) => Array.isArray(one?.checks))
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${path} cannot be written: ${reason}.`, 'Choose another file with --out.', { cause })
  }
}
