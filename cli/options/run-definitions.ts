import { availableParallelism } from 'node:os'
import { Command, type Option } from 'commander'
import { risks } from '../../suites/session/check.ts'
import { defaultLogins } from '../../suites/session/logins.ts'
import { applyConfig } from '../config/apply.ts'
import { type Flags, oneOf, optionsOf, text, toggle, type ValuesOf, value, valueOptional } from './flags.ts'
import { copySyntax, currencyCode, globs, loginRange, notEmpty, urlPath, vendor, wholeNumber } from './parsers.ts'
import { rejectTwoKeys } from './read-files.ts'

export const defaultVendor = 'Platform'
export const defaultMaxAccounts = 3
export const defaultHookLimitMs = 60_000

const natural = wholeNumber(0)
const positive = wholeNumber(1)
/** Node.js ends a longer timer at once. */
const milliseconds = wholeNumber(1, 2 ** 31 - 1)
const evidences = ['decisive', 'all'] as const
const planFormats = ['summary', 'full', 'json'] as const

const firstScreen = {
  target: text('<url>', 'Base URL of a running plugin'),
  exec: value('<command>', 'Command that starts the server to judge', notEmpty('node server.js')),
  container: value('<image>', 'Container image that holds the server to judge', notEmpty('my-plugin-server:1.2')),
  apiKey: text('<key>', 'API key of the plugin', { env: 'TCK_API_KEY' }),
  platformUrl: text('<url>', 'Base URL of a platform API'),
  risk: oneOf('<risk>', 'Allowed changes to the target', risks),
  only: value('<glob>', 'Run only matching checks (repeatable)', globs, { otherwise: [] }),
  baseline: text('<file>', 'Known failures, which do not fail the run'),
  plan: valueOptional(
    oneOf('[format]', 'Print what would be sent, as a summary by default, and send nothing', planFormats),
  ),
  out: text('<dir>', 'Folder of the report', { otherwise: 'tck-report' }),
}

const safety = {
  apiKeyFile: text('<path>', 'File that holds the API key of the plugin'),
  yes: toggle('Do not ask for confirmation before the first write'),
  capacity: value('<n>', 'Rule capacity of the target, if known. Without it the kit discovers the capacity', positive),
  copySyntax: value(
    '<template>',
    'Syntax of a Copy_N value of the target, if it is not the public one, like `{master};{follower};{mode};{value};{direction}`',
    copySyntax,
  ),
  maxFill: value('<n>', 'Maximum number of rules that capacity discovery adds', natural, { otherwise: 2000 }),
  maxRps: value('<n>', 'Maximum number of requests per second to a running server, on average', positive),
  cleanupTimeout: value('<ms>', 'Longest wait for other clients while the rules of the run are removed', milliseconds, {
    otherwise: 120_000,
  }),
  logins: value('<from-to>', "Range of the logins in the kit's own rules", loginRange, {
    otherwise: defaultLogins,
    shown: `${defaultLogins.from}-${defaultLogins.to}`,
  }),
}

const command = (description: string) => value('<command>', description, notEmpty('systemctl restart trade'))

export const lifeCycleFlags = {
  hookRestart: command('Shell command that restarts the server'),
  hookStop: command('Shell command that stops the server'),
  hookStart: command('Shell command that starts the server'),
  hookSetParameters: command('Shell command that sets the plugin parameters from the JSON file $TCK_PARAMETERS'),
  hookDeleteRulesFile: command('Shell command that deletes ServiceCopyTrade_rules.dat'),
  hookTimeout: value(
    '<ms>',
    'Timeout of a hook command. After it the server may take as long to start, and at least 30 s',
    milliseconds,
    { otherwise: defaultHookLimitMs },
  ),
  parameters: text('<file>', 'JSON file with the current plugin parameters. They are set again after the run'),
  manual: toggle('Ask at this terminal for the steps that have no hook command'),
}

/** Key and secret have no option, since other users of a machine can see command lines. */
export const platformFlags = {
  platformKeyFile: text('<path>', 'File that holds the API key of the platform. Or set TCK_PLATFORM_KEY'),
  platformSecretFile: text('<path>', 'File that holds the secret for request signatures. Or set TCK_PLATFORM_SECRET'),
  signatureVendor: value('<name>', `Vendor in X-<Vendor>-Signature (default: ${defaultVendor})`, vendor),
  listPath: value('<path>', 'Path of the list of trading accounts. Without it the kit searches', urlPath),
}

/** For commands that may create accounts. */
export const accountFlags = {
  group: text('<slug>', 'Group in which demo accounts may be created. Without it no account is created'),
  currency: value('<code>', 'Currency of the demo accounts (default: USD)', currencyCode),
  leverage: value('<n>', 'Leverage of the demo accounts (default: 100)', positive),
  maxAccounts: value('<n>', `Maximum number of demo accounts to create (default: ${defaultMaxAccounts})`, natural),
  disposablePlatform: toggle('Allow any number of accounts, and any change to the platform. Only for test platforms', {
    conflicts: 'maxAccounts',
  }),
}

const network = {
  ca: text('<file>', 'Certificates (PEM) of the authorities to trust for https'),
  insecure: toggle('Accept any https certificate. Only for test servers'),
  timeout: value('<ms>', 'Timeout of a request', milliseconds, { otherwise: 10_000 }),
}

const report = {
  reporter: oneOf(
    '<name>',
    'Output of the run: progress, all checks and failures, a dot for each, or report.json',
    ['line', 'list', 'dot', 'json'],
    { otherwise: 'line' },
  ),
  verbose: toggle('Same as `--reporter list`', { conflicts: 'reporter' }),
  quiet: toggle('Print only the verdict and the path of the report', {
    spelled: '-q, --quiet',
    conflicts: ['reporter', 'verbose'],
  }),
  evidence: oneOf('<which>', 'Recorded exchanges: of passed checks only those that decided them, or all', evidences, {
    otherwise: 'decisive',
  }),
  profile: text('<file>', 'Expected answers. A different answer is reported as drift'),
  strict: toggle('Failures of the levels expected and robustness count as well'),
  bail: value('<n>', 'End the run after so many failed checks that count', positive),
  maxTime: value('<s>', 'Begin no check after so many seconds', wholeNumber(1, 1_000_000)),
  diagnose: value(
    '<s>',
    'After a failure, look so many seconds for the faults with which a simulator fails in the same way; 0 for none',
    wholeNumber(0, 3_600),
    { otherwise: 10, env: 'TCK_DIAGNOSE' },
  ),
  complete: toggle('The verdict is incomplete if a requirement is out of scope'),
}

const advanced = {
  skip: value('<glob>', 'Do not run matching checks (repeatable)', globs, { otherwise: [] }),
  failed: text('<report.json>', 'Run only the checks that failed in this report, with its seed', {
    conflicts: 'only',
  }),
  watch: valueOptional(
    text(
      '[path]',
      'Run again when the files of the server of --exec change (by default in the current folder), or on Enter: first the checks that failed',
      { conflicts: ['plan', 'keepServer'] },
    ),
  ),
  seed: value('<n>', 'Seed of everything random. Without it the seed is random', wholeNumber(0, 2 ** 31 - 1)),
  thorough: value(
    '<n>',
    'Multiply the number of random sequences, overlapping requests and kills',
    wholeNumber(1, 1_000),
    { otherwise: 1 },
  ),
  jobs: value('<n>', 'Most checks that run at a time, on servers that the kit starts', wholeNumber(1, 64), {
    otherwise: availableParallelism(),
    shown: 'the number of cores',
  }),
  keepServer: toggle('Keep the server of the last check running until Ctrl-C, before the failure if it failed'),
  config: text('<path>', 'Configuration file with these options (default: tck.config.yaml, .json or .ts, if present)'),
}

/** The options of `run` by their heading in `--help`, in order. Other commands share some of them. */
const groups = {
  'Options:': firstScreen,
  'Safety:': safety,
  'Life cycle of a running server:': lifeCycleFlags,
  'Platform:': { ...platformFlags, ...accountFlags },
  'Network:': network,
  'Verdict and report:': report,
  'Advanced:': advanced,
}

/** The intersection of the members of a union. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

export type RunFlags = ValuesOf<AllOf<(typeof groups)[keyof typeof groups]>>

/** The options of `run`, in the order of its help. */
export function runOptions(): readonly Option[] {
  return Object.entries<Flags>(groups).flatMap(([heading, table]) => optionsOf(table, heading))
}

/** Options that concern the verdict, the report or a platform. */
const onlyForRun: readonly string[] = [
  ...['baseline', 'out', 'platformUrl', 'failed', 'watch', 'keepServer'],
  ...Object.keys({ ...report, ...platformFlags, ...accountFlags }),
]

/** Whether an option is about the target, how to reach it and what may be done to it. New options are, by default. */
export const isAboutTarget = (name: string) => !onlyForRun.includes(name)

/**
 * Adds the options of `run` for which `isTaken` is true, in their order. Before the command starts, reads the
 * configuration file, which may contain every option of `run`, and rejects two keys.
 */
export function withRunOptions(command: Command, isTaken: (name: string) => boolean = () => true): Command {
  for (const option of runOptions()) if (isTaken(option.attributeName())) command.addOption(option)
  return command
    .hook('preAction', (self) => applyConfig(self, runOptions()))
    .hook('preAction', (self) => rejectTwoKeys(self))
}

export function defaultRunFlags(): RunFlags {
  return withRunOptions(new Command()).opts<RunFlags>()
}
