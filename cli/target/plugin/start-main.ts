import { DriverFailed, PortTaken, type PreparedServer, type ServerSettings } from '../../../suites/targets/driver.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import { UnreachableError } from '../../command-error.ts'
import { createLiveLine } from '../../live-line.ts'
import { type ExpectedServer, isFinal, silentStart } from './silent-start.ts'

/** What is started, and until when it is waited for at the longest. */
interface Place extends Pick<ExpectedServer, 'kind' | 'log'> {
  readonly signal: AbortSignal
}

/** How many ports are tried if other programs use them. */
const mostPorts = 5

/**
 * Starts the main server of a run.
 *
 * @throws {UnreachableError} where it does not respond, or other programs use all ports that were tried
 */
export async function startMain(driver: OwnDriver, settings: ServerSettings, where: Place): Promise<PreparedServer> {
  let reason = ''
  for (let tried = 0; tried < mostPorts; tried += 1) {
    const prepared = await driver.prepare(settings)
    if (prepared === 'port-taken') throw new Error('no free port was found')
    try {
      await startAt(prepared, driver, settings, where)
      return prepared
    } catch (error) {
      await driver.discardAll()
      if (!(error instanceof PortTaken)) throw error
      reason = error.message
    }
  }
  throw new UnreachableError(
    `${mostPorts} ports were tried. The last one: ${reason}.`,
    'The server must be a process that the command starts. For a container give `--container`, for a server that runs already `--target`.',
  )
}

async function startAt(
  { id, url }: PreparedServer,
  driver: OwnDriver,
  settings: ServerSettings,
  where: Place,
): Promise<void> {
  const startedAt = performance.now()
  const what = `Waiting for the server at ${url}`
  if (await isStarted(what, driver, id, where)) return
  if (!where.signal.aborted && !isFinal(await driver.explain(id))) {
    // A server may refuse to start with more rules than it has room for, or with another syntax of Copy_N.
    await driver.stop(id)
    const { API_Key = '' } = settings.parameters
    await driver.configure(id, { ...settings, parameters: { API_Key } })
    if (await isStarted(`${what}, started again without Copy_N`, driver, id, where)) return
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  throw silentStart(await driver.explain(id), { ...where, port: Number(new URL(url).port), seconds })
}

/** Whether it responds before the session ends. */
function isStarted(what: string, driver: OwnDriver, id: string, where: Place): Promise<boolean> {
  const { signal } = where
  const interrupted = new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)))
  return showWait(process.stderr, what, () => Promise.race([start(driver, id, where), interrupted]))
}

async function start(driver: OwnDriver, id: string, { kind, log }: Place): Promise<boolean> {
  try {
    return await driver.start(id, 'ready')
  } catch (error) {
    if (!(error instanceof DriverFailed) || error instanceof PortTaken || kind !== 'container') throw error
    throw new UnreachableError(`The container cannot be started: ${error.message}.`, `Its output is in ${log}.`, {
      cause: error,
    })
  }
}

/** Nothing is shown for a wait that is over sooner. */
const patienceMs = 2_000

/** Does the work and, on a terminal, shows from the third second on what it waits for. */
export async function showWait<Result>(
  stream: NodeJS.WriteStream,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!stream.isTTY) return work()
  const startedAt = performance.now()
  const line = createLiveLine(stream)
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt
    if (passedMs >= patienceMs) line.show(`${what}: ${Math.floor(passedMs / 1_000)} s`)
  }, 1_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    line.clear()
  }
}
