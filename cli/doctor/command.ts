import { Command, Option } from 'commander'
import { defaultLogins } from '../../suites/session/logins.ts'
import { applyConfig, configOption } from '../config/apply.ts'
import { lifeCycleOptions } from '../options/life-cycle-options.ts'
import { loginRange, wholeNumber } from '../options/parsers.ts'
import { addPlatformOptions } from '../options/platform-flags.ts'
import { caOption, insecureOption } from '../options/transport-options.ts'
import { runCommand } from '../run/command.ts'
import { type DoctorFlags, resolveDoctorOptions } from './options.ts'

/** `copytrade-tck doctor`: is the target ready to be judged? Sets the exit code of the process. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('look whether a target is ready to be judged; only GET is sent')
    .option('--target <url>', 'base URL of a running plugin, with or without /api')
    .addOption(new Option('--api-key <key>', 'plugin key (better: TCK_API_KEY or --api-key-file)').env('TCK_API_KEY'))
    .option('--api-key-file <path>', 'file that holds the plugin key')
    .addOption(
      new Option('--logins <from-to>', "range of the kit's own logins")
        .argParser(loginRange)
        .default(defaultLogins, `${defaultLogins.from}-${defaultLogins.to}`),
    )
    .option('--capacity <n>', 'rule capacity of the target, where known', wholeNumber(1))
    .addOption(caOption())
    .addOption(insecureOption())
    .option('--timeout <ms>', 'limit for each look', wholeNumber(1), 10_000)
    .option('--json', 'as JSON', false)
    .addOption(configOption())
    .hook('preAction', (command) => applyConfig(command, runCommand().options))
    .addHelpText('after', exitCodes)
    .action(async (flags: DoctorFlags) => {
      const options = resolveDoctorOptions(flags)
      const { doctor } = await import('./doctor.ts')
      process.exitCode = await doctor(options, flags.json)
    })
  for (const option of lifeCycleOptions()) command.addOption(option)
  return addPlatformOptions(command)
}

const exitCodes = `
Exit codes:
  0  ready, at least for run --risk read; warnings are allowed
  2  wrong usage; nothing was sent
  4  cannot be judged: not reachable, not what is expected there, or the key is refused`
