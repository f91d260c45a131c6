import { Command, Option } from 'commander'
import { defaultLogins } from '../../suites/session/logins.ts'
import { applyConfig, configOption } from '../config/apply.ts'
import { lifeCycleOptions } from '../options/life-cycle-options.ts'
import { globs, loginRange, wholeNumber } from '../options/parsers.ts'
import { addAccountOptions, addPlatformOptions } from '../options/platform-flags.ts'
import { type RunFlags, resolveRunOptions } from '../options/run-options.ts'
import { caOption, insecureOption } from '../options/transport-options.ts'

/** `copytrade-tck run`: judges a server. Sets the exit code of the process. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('judge a server and write a report; without --target, --exec or --container, the embedded simulator')
    .option('--target <url>', 'base URL of a running plugin, with or without /api')
    .option('--exec <command>', 'start, restart and kill the server with this command')
    .option('--container <image>', 'create, restart and kill containers of this image')
    .addOption(new Option('--api-key <key>', 'plugin key (better: TCK_API_KEY or --api-key-file)').env('TCK_API_KEY'))
    .option('--api-key-file <path>', 'file that holds the plugin key')
    .addOption(
      new Option(
        '--risk <risk>',
        'what may be done to the target (default: read for --target, exclusive otherwise)',
      ).choices(['read', 'write', 'exclusive']),
    )
    .option('--capacity <n>', 'rule capacity of the target, where known', wholeNumber(1))
    .option('--max-fill <n>', 'the most rules that capacity discovery may add', wholeNumber(0), 2000)
    .option('--only <glob>', 'only checks whose id, requirement or question matches (repeatable)', globs, [])
    .option('--skip <glob>', 'leave such checks out (repeatable)', globs, [])
    .option('--profile <file>', 'answers expected of this target; a differing answer is reported as drift')
    .option('--baseline <file>', 'known failures, each with a reason; they do not turn the run red')
    .option('--strict', 'failures of the levels expected and robustness count too', false)
    .option('--complete', 'anything out of scope makes the verdict incomplete', false)
    .option('--seed <n>', 'seed of everything random (default: random)', wholeNumber(0, 2 ** 31 - 1))
    .option(
      '--thorough <n>',
      'n times as many random sequences, overlapping requests and kills',
      wholeNumber(1, 1_000),
      1,
    )
    .option('--out <dir>', 'folder of the report', 'tck-report')
    .addOption(caOption())
    .addOption(insecureOption())
    .option('--timeout <ms>', 'limit for each request', wholeNumber(1), 10_000)
    .option('--max-rps <n>', 'ceiling on requests per second', wholeNumber(1))
    .option('--plan', 'print what would be sent, and the most writes, and send nothing', false)
    .option('--yes', 'do not ask before the first write', false)
    .addOption(
      new Option('--logins <from-to>', "range of the kit's own logins")
        .argParser(loginRange)
        .default(defaultLogins, `${defaultLogins.from}-${defaultLogins.to}`),
    )
  addPlatformOptions(command)
  addAccountOptions(command)
  for (const option of lifeCycleOptions()) command.addOption(option)
  return command
    .addOption(configOption())
    .hook('preAction', (command) => applyConfig(command))
    .action(async (flags: RunFlags) => {
      const options = resolveRunOptions(flags)
      const { run } = await import('./run.ts')
      process.exitCode = await run(options, interruption())
    })
}

/** Aborted by the first Ctrl-C or SIGTERM; the second one ends the process as usual. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.stderr.write('\nStopping after the check that is running, then cleaning up. Once more ends at once.\n')
      controller.abort()
      // By `exit`, so that servers which the kit started end with it.
      for (const again of ['SIGINT', 'SIGTERM'] as const) process.once(again, () => process.exit(130))
    })
  }
  return controller.signal
}
