import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { createSimulator, NotListeningError, readProfile, type Simulator } from '../../simulator/index.ts'
import { requireFolder } from '../make-folder.ts'
import { prepareClientReport } from './client-report.ts'
import { announceControl } from './control.ts'
import { openAll } from './open-all.ts'
import { checkPlatformFlags, resolveDefects, resolveJournal, resolveParameters, type SimulateFlags } from './options.ts'
import { announcePlatform, createPlatform } from './platform.ts'

/**
 * Serves until SIGTERM or Ctrl-C, then stops gracefully; a second signal ends the process at once.
 * With an empty API_Key nothing listens, and the process stays until a signal.
 */
export async function simulate({ dataDir, ...rest }: SimulateFlags): Promise<void> {
  // A compose file sets a variable without a value to an empty string.
  const flags: SimulateFlags = dataDir ? { ...rest, dataDir } : rest
  const parameters = resolveParameters(flags, process.env)
  checkPlatformFlags(flags)
  const { plugin: defect, platform: platformDefect } = resolveDefects(flags)
  const profile = flags.profile === undefined ? null : readProfile(flags.profile)
  const clientReport = await prepareClientReport(flags.clientReport)
  const log = createLog()
  if (flags.dataDir !== undefined) await requireFolder(flags.dataDir, '--data-dir')
  const simulator = createSimulator({
    ...profile?.options,
    host: flags.host,
    parameters,
    log,
    journal: resolveJournal(flags),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.fsync === undefined ? {} : { fsync: flags.fsync }),
    ...(defect === null ? {} : { override: defect.override }),
    ...(flags.capacity === undefined ? {} : { capacity: flags.capacity }),
  })
  const platform = createPlatform({ flags, defect: platformDefect, log })
  clientReport.watch(simulator)
  // Before the log says that it serves: from then on a signal may arrive.
  const stopped = untilSignal()
  const { control, pair, close } = await openAll({ simulator, platform, flags, log })
  if (control !== null) announceControl(control, log)
  announce(simulator, log)
  if (platform !== null) announcePlatform(platform, pair, log)
  if (profile !== null && profile.notKnown.length > 0) {
    log.warn({ questions: profile.notKnown }, 'the profile has no answer to these questions; the defaults are served')
  }
  const wrong = defect ?? platformDefect
  if (wrong !== null) log.warn({ defect: wrong.id }, wrong.summary)
  // A disabled API has no socket, which would keep the process alive.
  const alive = setInterval(() => undefined, 2 ** 30)
  await stopped
  clearInterval(alive)
  log.info('stopping')
  await close()
  await clientReport.write(simulator)
}

/** Logs JSON, or readable lines on a terminal. */
function createLog(): Logger {
  const destination = process.stdout.isTTY
    ? pretty({ colorize: process.env.NO_COLOR === undefined, ignore: 'pid,hostname', sync: true })
    : pino.destination({ sync: true })
  return pino({ base: null }, destination)
}

function announce(simulator: Simulator, log: Logger): void {
  try {
    log.info({ url: simulator.url, rules: simulator.rules.length }, 'serving')
  } catch (error) {
    if (!(error instanceof NotListeningError)) throw error
    log.warn('API_Key is empty: the API is disabled and does not listen')
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve())
  })
}
