import { Command, Option } from 'commander'
import { UsageError } from '../command-error.ts'
import { interruption } from '../interruption.ts'
import { duration, wholeNumber } from '../options/parsers.ts'
import type { FleetFlags } from './fleet.ts'
import type { MonitorFlags } from './monitor.ts'
import { parseShard } from './shard.ts'

const outOption = ['--out <dir>', 'Folder of the roll-up', 'tck-fleet'] as const

/** `copytrade-tck fleet`: judges many servers. Sets the exit code of the process. */
export function fleetCommand(): Command {
  return new Command('fleet')
    .description('Judge the servers of a file, each by a run of its own, and write one roll-up.')
    .argument('<targets.yaml>', 'Servers with their options of `run`')
    .option('--concurrency <n>', 'Number of servers that are judged at the same time', wholeNumber(1, 1_000), 4)
    .option('--shard <i/n>', 'Judge only this part of the servers, like 2/5', parseShard)
    .option('--plan', 'Print what may be written to each server, and send nothing', false)
    .option('--yes', 'Do not ask for confirmation before the first write', false)
    .option(...outOption)
    .addOption(
      new Option('--every <time>', 'Judge the servers again and again, like every `15m`. Needs risk read')
        .argParser(duration)
        .conflicts('plan'),
    )
    .option('--on-change <command>', 'With --every: command that gets each change as a line of JSON on its stdin')
    .option('--metrics <port>', 'With --every: serve Prometheus metrics at 127.0.0.1', wholeNumber(0, 65_535))
    .addHelpText('after', exitCodes)
    .action(async (path: string, flags: FleetFlags & MonitorFlags) => {
      if (flags.every !== undefined) {
        const { monitorFleet } = await import('./monitor.ts')
        const signal = interruption('Stopping when the servers in work are judged.')
        process.exitCode = await monitorFleet(path, { ...flags, everyMs: flags.every }, signal)
        return
      }
      if (flags.onChange !== undefined || flags.metrics !== undefined) {
        throw new UsageError('`--on-change` and `--metrics` require `--every`.', 'Add `--every 15m`, or remove them.')
      }
      const { judgeFleet } = await import('./fleet.ts')
      process.exitCode = await judgeFleet(path, flags, interruption())
    })
}

/** `copytrade-tck merge`: merges the results of several machines. Sets the exit code of the process. */
export function mergeCommand(): Command {
  return new Command('merge')
    .description('Fold the results of several `fleet --shard` into one roll-up.')
    .argument('<fleet.json...>', 'Results of the parts')
    .option(...outOption)
    .addHelpText('after', exitCodes)
    .action(async (paths: readonly string[], { out }: { out: string }) => {
      const { mergeFleets } = await import('./merge.ts')
      process.exitCode = await mergeFleets(paths, out)
    })
}

const exitCodes = `
Exit code: the worst of the runs, with --every of the last ones. From the worst: 5, 70, 4, 2, 1, 3, 0. See \`run --help\`.
A merge that lacks a part of the fleet is at least incomplete (3).`
