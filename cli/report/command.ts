import { Command, Option } from 'commander'
import type { Format } from '../../reports/write.ts'
import { writeTextFile } from '../files.ts'

const formats: readonly Format[] = ['html', 'junit', 'md', 'har', 'ctrf', 'badge']

export function reportCommand(): Command {
  const format = new Option('--format <name>', 'Format to render; a badge (SVG) only for a complete run')
  return new Command('report')
    .description('Render a report in another format.')
    .argument('<report.json>', 'Report of a run')
    .addOption(format.choices(formats).makeOptionMandatory())
    .option('--out <file>', 'File to write. Without it the rendering goes to stdout')
    .action(renderAgain)
}

async function renderAgain(path: string, { format, out }: { format: Format; out?: string }): Promise<void> {
  const { readReport } = await import('./read-report.ts')
  const { renderers } = await import('../../reports/write.ts')
  const text = renderers[format](readReport(path))
  if (out === undefined) process.stdout.write(text)
  else writeTextFile(out, text, [path])
}
