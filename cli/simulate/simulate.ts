import { once } from 'node:events'
import pino, { type Logger } from 'pino'
import { urlIfOpen } from '../../simulator/server/address.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { UsageError } from '../command-error.ts'
import { requireFolder } from '../files.ts'
import { readParameters } from '../options/read-files.ts'
import type { SimulateFlags } from './command.ts'
import { announceControl, announcePlatform, createPlatform, openAll } from './servers.ts'

/** Serves until a signal; a second one ends the process at once. With an empty API_Key nothing listens. */
export async function simulate(flags: SimulateFlags): Promise<void> {
  const parameters = resolveParameters(flags, process.env)
  if (flags.signing !== undefined && flags.platformPort === undefined) {
    throw new UsageError('`--signing` requires `--platform-port`.', 'Add `--platform-port 0`.')
  }
  const { like, profile: file, clientReport: reportFile, defect = [] } = flags
  // Optional parts are loaded on demand, since the command must start fast.
  const judged = like === undefined ? null : (await import('./judged.ts')).readJudged(like)
  const profile =
    judged?.profile ??
    (file === undefined ? null : (await import('../../simulator/plugin/profile/read-profile.ts')).readProfile(file))
  const clientReport =
    reportFile === undefined ? null : await (await import('./client-report.ts')).prepareClientReport(reportFile)
  const log = await createLog()
  const ids = [...(judged?.defects ?? []), ...defect]
  const wrong = ids.length === 0 ? null : (await import('./defects.ts')).resolveDefects(ids, flags, log)
  if (flags.dataDir !== undefined) await requireFolder(flags.dataDir, '`--data-dir`')
  const simulator = createSimulator({
    ...profile?.options,
    host: flags.host,
    parameters,
    log,
    fsync: flags.fsync,
    journal: resolveJournal(flags),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(wrong?.plugin && { override: wrong.plugin }),
    ...(flags.capacity === undefined ? {} : { capacity: flags.capacity }),
  })
  const platform = await createPlatform(flags, wrong?.platform ?? null, log)
  clientReport?.watch(simulator)
  // Must precede the log line: from then on a signal may arrive.
  const waiting = new AbortController()
  const stopped = Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => once(process, name, waiting)))
  const { control, pair, close } = await openAll({ simulator, platform, flags, log })
  if (control !== null) announceControl(control, log)
  announce(simulator, log)
  const unknown = Object.keys(parameters).filter((name) => !pluginParameter.test(name))
  if (unknown.length > 0)
    log.warn({ parameters: unknown }, 'these have no effect: the plugin reads API_Key, API_Port and Copy_N')
  if (platform !== null) announcePlatform(platform, pair, log)
  if (profile !== null && profile.notKnown.length > 0) {
    log.warn({ questions: profile.notKnown }, 'the profile has no answer to these questions; the defaults are served')
  }
  if (judged !== null && judged.unexplained.length > 0) {
    log.warn({ checks: judged.unexplained }, 'no served fault explains these failures of the report: the twin passes')
  }
  // A disabled API has no socket that keeps the process alive.
  const alive = setInterval(() => undefined, 2 ** 30)
  await stopped
  waiting.abort()
  clearInterval(alive)
  log.info('stopping')
  await close()
  await clientReport?.write(simulator)
}

async function createLog(): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ base: null }, pino.destination({ sync: false }))
  const { default: pretty } = await import('pino-pretty')
  const colorize = process.env.NO_COLOR === undefined
  return pino({ base: null }, pretty({ colorize, ignore: 'pid,hostname', sync: true }))
}

function announce(simulator: Simulator, log: Logger): void {
  const url = urlIfOpen(simulator)
  if (url !== null) log.info({ url, rules: simulator.rules.length }, 'serving')
  else log.warn('API_Key is empty: the API is disabled and does not listen')
}

const defaultJournal = 10_000

/** How many requests are stored: none unless an option needs them, since they use memory. */
export function resolveJournal({ journal, controlPort, clientReport }: Partial<SimulateFlags>): number {
  return journal ?? (controlPort === undefined && clientReport === undefined ? 0 : defaultJournal)
}

const pluginParameter = /^(API_Key|API_Port|Copy_\d+)$/

/** Those of the file or of the environment, overridden by `--param` and by `--api-key`. @throws {UsageError} */
export function resolveParameters(
  { params, param, apiKey }: Partial<SimulateFlags>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = Object.entries(environment).filter(([name]) => pluginParameter.test(name))
  return {
    ...(params === undefined ? Object.fromEntries(inherited) : readParameters('--params', params)),
    ...param,
    ...(apiKey === undefined ? {} : { API_Key: apiKey }),
  }
}
