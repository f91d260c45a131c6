import { Command } from 'commander'
import { interruption } from '../interruption.ts'
import { wholeNumber } from '../options/parsers.ts'
import type { FleetFlags } from './fleet.ts'
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
    .addHelpText('after', exitCodes)
    .action(async (path: string, flags: FleetFlags) => {
      const { judgeFleet } = await import('./fleet.ts')
      process.exitCode = await judgeFleet(path, flags, interruption())
    })
}

/** `copytrade-tck merge`: folds what several machines judged. Sets the exit code of the process. */
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
Exit code: the worst of the runs. From the worst: 5, 70, 4, 2, 1, 3, 0. See \`run --help\`.
A merge that lacks a part of the fleet is at least incomplete (3).`
