import { Command } from 'commander'
import { UsageError } from '../command-error.ts'
import { interruption } from '../interruption.ts'
import { addFlags, text, toggle, type ValuesOf, value } from '../options/flags.ts'
import { duration, parseShard, wholeNumber } from '../options/parsers.ts'

const outFlag = { out: text('<dir>', 'Folder of the roll-up', { otherwise: 'tck-fleet' }) }

const flags = {
  concurrency: value('<n>', 'Number of servers that are judged at the same time', wholeNumber(1, 1_000), {
    otherwise: 4,
  }),
  shard: value('<i/n>', 'Judge only this part of the servers, like 2/5', parseShard),
  plan: toggle('Print what may be written to each server, and send nothing'),
  yes: toggle('Do not ask for confirmation before the first write'),
  ...outFlag,
  every: value('<time>', 'Judge the servers again and again, like every `15m`. Needs risk read', duration, {
    conflicts: 'plan',
  }),
  onChange: text('<command>', 'With --every: command that gets each change as a line of JSON on its stdin'),
  metrics: value('<port>', 'With --every: serve Prometheus metrics at 127.0.0.1', wholeNumber(0, 65_535)),
}

/** The command line options of `fleet`. `every` is in milliseconds. */
export type FleetFlags = ValuesOf<typeof flags>

export function fleetCommand(): Command {
  return addFlags(new Command('fleet'), flags)
    .description('Judge the servers of a file, each by a run of its own, and write one roll-up.')
    .argument('<targets.yaml>', 'Servers with their options of `run`')
    .addHelpText('after', exitCodes)
    .action(async (path: string, { every, ...given }: FleetFlags) => {
      if (every !== undefined) {
        const { monitorFleet } = await import('./monitor.ts')
        const signal = interruption('Stopping when the servers in work are judged.')
        process.exitCode = await monitorFleet(path, { ...given, everyMs: every }, signal)
        return
      }
      if (given.onChange !== undefined || given.metrics !== undefined) {
        throw new UsageError('`--on-change` and `--metrics` require `--every`.', 'Add `--every 15m`, or remove them.')
      }
      const { judgeFleet } = await import('./fleet.ts')
      process.exitCode = await judgeFleet(path, given, interruption())
    })
}

export function mergeCommand(): Command {
  return addFlags(new Command('merge'), outFlag)
    .description('Fold the results of several `fleet --shard` into one roll-up.')
    .argument('<fleet.json...>', 'Results of the parts')
    .addHelpText('after', exitCodes)
    .action(async (paths: readonly string[], { out }: ValuesOf<typeof outFlag>) => {
      const { mergeFleets } = await import('./merge.ts')
      process.exitCode = await mergeFleets(paths, out)
    })
}

const exitCodes = `
Exit code: the worst of the runs, with --every of the last ones. From the worst: 5, 70, 4, 2, 1, 3, 0. See \`run --help\`.
A merge that lacks a part of the fleet is at least incomplete (3).`
