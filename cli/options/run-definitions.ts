import { availableParallelism } from 'node:os'
import { Command, Option } from 'commander'
import { defaultLogins } from '../../suites/session/logins.ts'
import { configOption } from '../config/apply.ts'
import { lifeCycleOptions } from './life-cycle-options.ts'
import { copySyntax, globs, loginRange, notEmpty, wholeNumber } from './parsers.ts'
import { accountOptions, platformOptions } from './platform-definitions.ts'
import type { RunFlags } from './run-options.ts'

/** Headings of `--help`. An option without one stands on the first screen, under `Options:`. */
export const optionGroup = {
  safety: 'Safety:',
  lifeCycle: 'Life cycle of a running server:',
  platform: 'Platform:',
  network: 'Network:',
  report: 'Verdict and report:',
  advanced: 'Advanced:',
} as const

/** The options of `run`, in the order of its help. Other commands take some of them. */
export function runOptions(): readonly Option[] {
  return [
    ...firstScreen(),
    ...under(optionGroup.safety, safety()),
    ...under(optionGroup.lifeCycle, lifeCycleOptions()),
    ...under(optionGroup.platform, [...platformOptions(), ...accountOptions()]),
    ...under(optionGroup.network, network()),
    ...under(optionGroup.report, report()),
    ...under(optionGroup.advanced, advanced()),
  ]
}

/** Gives a command the options of `run` with these names, in the order of `runOptions`. */
export function addRunOptions(command: Command, isTaken: (name: string) => boolean = () => true): Command {
  for (const option of runOptions()) if (isTaken(option.attributeName())) command.addOption(option)
  return command
}

/** The flags of a run that were not given. */
export function defaultRunFlags(): RunFlags {
  return addRunOptions(new Command()).opts<RunFlags>()
}

function under(heading: string, options: readonly Option[]): readonly Option[] {
  return options.map((option) => option.helpGroup(heading))
}

function firstScreen(): readonly Option[] {
  return [
    new Option('--target <url>', 'Base URL of a running plugin'),
    new Option('--exec <command>', 'Command that starts the server to judge').argParser(notEmpty('node server.js')),
    new Option('--container <image>', 'Container image that holds the server to judge').argParser(
      notEmpty('my-plugin-server:1.2'),
    ),
    new Option('--api-key <key>', 'API key of the plugin').env('TCK_API_KEY'),
    new Option('--platform-url <url>', 'Base URL of a platform API'),
    new Option('--risk <risk>', 'Allowed changes to the target').choices(['read', 'write', 'exclusive']),
    new Option('--only <glob>', 'Run only matching checks (repeatable)').argParser(globs).default([]),
    new Option('--baseline <file>', 'Known failures, which do not fail the run'),
    new Option('--plan [format]', 'Print what would be sent, as a summary by default, and send nothing').choices([
      'summary',
      'full',
      'json',
    ]),
    new Option('--out <dir>', 'Folder of the report').default('tck-report'),
  ]
}

function safety(): readonly Option[] {
  return [
    new Option('--api-key-file <path>', 'File that holds the API key of the plugin'),
    new Option('--yes', 'Do not ask for confirmation before the first write').default(false),
    new Option(
      '--capacity <n>',
      'Rule capacity of the target, if known. Without it the kit discovers the capacity',
    ).argParser(wholeNumber(1)),
    new Option(
      '--copy-syntax <template>',
      'Syntax of a Copy_N value of the target, if it is not the public one, like `{master};{follower};{mode};{value};{direction}`',
    ).argParser(copySyntax),
    new Option('--max-fill <n>', 'Maximum number of rules that capacity discovery adds')
      .argParser(wholeNumber(0))
      .default(2000),
    new Option('--max-rps <n>', 'Maximum number of requests per second').argParser(wholeNumber(1)),
    new Option('--cleanup-timeout <ms>', 'Longest wait for other clients while the rules of the run are removed')
      .argParser(wholeNumber(1))
      .default(120_000),
    new Option('--logins <from-to>', "Range of the logins in the kit's own rules")
      .argParser(loginRange)
      .default(defaultLogins, `${defaultLogins.from}-${defaultLogins.to}`),
  ]
}

function network(): readonly Option[] {
  return [
    new Option('--ca <file>', 'Certificates (PEM) of the authorities to trust for https'),
    new Option('--insecure', 'Accept any https certificate. Only for test servers').default(false),
    new Option('--timeout <ms>', 'Timeout of a request').argParser(wholeNumber(1)).default(10_000),
  ]
}

function report(): readonly Option[] {
  return [
    new Option(
      '--reporter <name>',
      'Output of the run: progress, all checks and failures, a dot for each, or report.json',
    )
      .choices(['line', 'list', 'dot', 'json'])
      .default('line'),
    new Option('--verbose', 'Same as `--reporter list`').default(false).conflicts('reporter'),
    new Option('-q, --quiet', 'Print only the verdict and the path of the report')
      .default(false)
      .conflicts(['reporter', 'verbose']),
    new Option('--evidence <which>', 'Recorded exchanges: of passed checks only those that decided them, or all')
      .choices(['decisive', 'all'])
      .default('decisive'),
    new Option('--profile <file>', 'Expected answers. A different answer is reported as drift'),
    new Option('--strict', 'Failures of the levels expected and robustness count as well').default(false),
    new Option('--bail <n>', 'End the run after so many failed checks that count').argParser(wholeNumber(1)),
    new Option('--max-time <s>', 'Begin no check after so many seconds').argParser(wholeNumber(1, 1_000_000)),
    new Option('--complete', 'The verdict is incomplete if a requirement is out of scope').default(false),
  ]
}

function advanced(): readonly Option[] {
  return [
    new Option('--skip <glob>', 'Do not run matching checks (repeatable)').argParser(globs).default([]),
    new Option('--failed <report.json>', 'Run only the checks that failed in this report, with its seed').conflicts(
      'only',
    ),
    new Option(
      '--watch [path]',
      'Run again when the files of the server of --exec change (by default in the current folder), or on Enter: first the checks that failed',
    ).conflicts(['plan', 'keepServer']),
    new Option('--seed <n>', 'Seed of everything random. Without it the seed is random').argParser(
      wholeNumber(0, 2 ** 31 - 1),
    ),
    new Option('--thorough <n>', 'Multiply the number of random sequences, overlapping requests and kills')
      .argParser(wholeNumber(1, 1_000))
      .default(1),
    new Option('--jobs <n>', 'Most checks that run at a time, on servers that the kit starts')
      .argParser(wholeNumber(1, 64))
      .default(availableParallelism(), 'the number of cores'),
    new Option(
      '--keep-server',
      'Keep the server of the last check running, as that check left it, until Ctrl-C',
    ).default(false),
    configOption(),
  ]
}
