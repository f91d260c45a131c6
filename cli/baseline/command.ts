import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { plural } from '../../reports/phrases.ts'
import { requireNew, writeTextFile } from '../files.ts'
import { addFlags, text, toggle, type ValuesOf } from '../options/flags.ts'

const defaultFile = 'known-failures.yaml'

const flags = {
  out: text('<file>', 'File to write: JSON if its name ends in .json, otherwise YAML', { otherwise: defaultFile }),
  merge: text(
    '<file>',
    'Baseline whose entries are kept for checks that still fail in the same way or were not judged',
  ),
  force: toggle('Overwrite an existing file'),
}

export function baselineCommand(): Command {
  return addFlags(new Command('baseline'), flags)
    .description('Write the failures of a report to a baseline of known failures. You fill in the reasons.')
    .argument('<report.json>', 'Report of a run')
    .action(writeBaseline)
    .addCommand(updateCommand())
}

function updateCommand(): Command {
  return new Command('update')
    .description('Bring a baseline up to date: keep what still fails, add what is new, drop what passes.')
    .argument('<report.json>', 'Report of a run')
    .option('--baseline <file>', 'Baseline to update', defaultFile)
    .action((report: string, { baseline }: { baseline: string }) =>
      writeBaseline(report, { out: baseline, merge: baseline, force: true }),
    )
}

async function writeBaseline(reportPath: string, { out, merge, force }: ValuesOf<typeof flags>): Promise<void> {
  const { baselineJson, baselineOf, baselineYaml, readBaseline } = await import('./baseline-file.ts')
  const { checkIds } = await import('./gate.ts')
  const { readReport } = await import('../report/read-report.ts')
  const report = readReport(reportPath)
  const baseline = baselineOf(report, merge === undefined ? null : readBaseline(merge, 'open'), checkIds)
  const earlier = merge === undefined ? '' : readFileSync(merge, 'utf8')
  const written = out.endsWith('.json') ? baselineJson(baseline) : baselineYaml(baseline, report, earlier)
  requireNew(out, { force })
  writeTextFile(out, written, [reportPath])
  const open = baseline.knownFailures.filter(({ reason }) => reason === '').length
  process.stdout.write(
    `${plural(baseline.knownFailures.length, 'known failure')} written to ${out}; ${plural(open, 'reason')} to fill in.\n`,
  )
}
