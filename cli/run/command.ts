import { Command } from 'commander'
import { interruption } from '../interruption.ts'
import { type RunFlags, withRunOptions } from '../options/run-definitions.ts'
import { selectFailed } from './failed.ts'

export function runCommand(): Command {
  const command = new Command('run')
    .summary('Judge a server and write a report.')
    .description(
      'Judge a server and write a report. Without `--target`, `--exec`, `--container` or `--platform-url` the built-in simulator is judged.',
    )
  return withRunOptions(command)
    .addHelpText('after', examples)
    .action(async (flags: RunFlags) => {
      const { resolveRunOptions } = await import('../options/run-options.ts')
      const options = resolveRunOptions(await selectFailed(flags))
      const { watch } = options
      if (watch !== null) {
        const { watchAndRun } = await import('./watch.ts')
        process.exitCode = await watchAndRun(watch, options, interruption())
      } else {
        const { run } = await import('./run.ts')
        process.exitCode = await run(options, interruption())
      }
    })
}

const examples = `
Risk: read sends only GET, HEAD and OPTIONS (default with --target). write also adds and
removes the kit's own rules. exclusive also fills the list (default without --target).

Exit codes:
  0   conformant, or partial: nothing failed
  1   non-conformant, or a regression against the baseline
  2   wrong usage or configuration; at most reads were sent
  3   incomplete
  4   the target cannot be reached, is not the plugin, or rejects the key
  5   the target was not left as it was found; the message says how to recover
  70  internal error of the kit
  130 a second Ctrl-C ended the kit at once; through npx also the first one, and
      the report has the verdict`
