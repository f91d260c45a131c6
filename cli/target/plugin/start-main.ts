import { visibleLine } from '../../../reports/visible.ts'
import { DriverFailed, PortTaken, type PreparedServer, type ServerSettings } from '../../../suites/targets/driver.ts'
import { isReachable, type Listener } from '../../../suites/targets/listeners.ts'
import type { OwnDriver, SilentStart } from '../../../suites/targets/own-servers.ts'
import { UnreachableError } from '../../command-error.ts'
import { createLiveLine } from '../../live-line.ts'

type Place = Pick<ExpectedServer, 'kind' | 'log'> & { readonly signal: AbortSignal }

const maxPorts = 5

/** Starts the main server. @throws {UnreachableError} if it does not respond, or other programs use the ports */
export async function startMain(driver: OwnDriver, settings: ServerSettings, where: Place): Promise<PreparedServer> {
  let reason = ''
  for (let tried = 0; tried < maxPorts; tried += 1) {
    const prepared = await driver.prepare(settings)
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
    `${maxPorts} ports were tried. The last one: ${reason}.`,
    'The server must be a process that the command starts. For a container give `--container`, for a server that runs already `--target`.',
  )
}

async function startAt({ id, url }: PreparedServer, driver: OwnDriver, settings: ServerSettings, where: Place) {
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
  const silent = silentStart(await driver.explain(id), { ...where, port: Number(new URL(url).port), seconds })
  throw where.signal.aborted ? new UnreachableError(`The run was interrupted. ${silent.message}`, silent.hint) : silent
}

/** Waits until it responds or the session ends. */
async function isStarted(what: string, driver: OwnDriver, id: string, { kind, log, signal }: Place): Promise<boolean> {
  const interrupted = new Promise<boolean>((resolve) => {
    if (signal.aborted) resolve(false)
    signal.addEventListener('abort', () => resolve(false))
  })
  try {
    return await showWait(process.stderr, what, () => Promise.race([driver.start(id, 'ready'), interrupted]))
  } catch (error) {
    if (!(error instanceof DriverFailed) || error instanceof PortTaken || kind !== 'container') throw error
    const message = `The container cannot be started: ${error.message}.`
    throw new UnreachableError(message, `Its output is in ${log}.`, { cause: error })
  }
}

/** Shorter waits are not shown. */
const patienceMs = 2_000

/** Does the work and, after two seconds, shows on a terminal what it waits for. */
export async function showWait<Result>(stream: NodeJS.WriteStream, what: string, work: () => Promise<Result>) {
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

export interface ExpectedServer {
  readonly kind: 'exec' | 'container'
  readonly port: number
  /** The path of the file with its output. */
  readonly log: string
  /** How long the kit waited. */
  readonly seconds: number
}

export function silentStart(facts: SilentStart, expected: ExpectedServer): UnreachableError {
  const { what, remedy } = facts.ended === null ? silenceOf(facts, expected) : endOf(facts, facts.ended, expected)
  const { lastLines } = facts
  const output =
    lastLines.length === 0
      ? 'It printed nothing.'
      : [`Its last output, from ${expected.log}:`, ...lastLines.map((line) => `  ${visibleLine(line)}`)].join('\n')
  return new UnreachableError(what, `${output}\n${remedy}`)
}

/** Whether a start with other parameters would end the same way. */
export function isFinal({ ended, processes, listening }: SilentStart): boolean {
  const isUnknown = ended?.code === 126 || ended?.code === 127
  return isUnknown || (ended !== null && processes.length > 0) || (listening ?? []).length > 0
}

const foreground =
  'The command must run as long as the server: `exec ./server`, without `&` and without an option that makes it a daemon.'

function endOf(
  { processes }: SilentStart,
  { code, signal }: NonNullable<SilentStart['ended']>,
  { kind }: ExpectedServer,
) {
  const command = kind === 'exec' ? 'The command of `--exec`' : 'The command of the image'
  const [process] = processes
  if (code === 127) {
    const folder = kind === 'exec' ? ' It is run in the current folder.' : ''
    return { what: `${command} was not found (exit code 127).`, remedy: `Check its name and path.${folder}` }
  }
  if (code === 126) {
    const remedy = 'Make the file executable, or name its interpreter, like `node server.js`.'
    return { what: `${command} cannot be executed (exit code 126).`, remedy }
  }
  if (code === 0 && process !== undefined) {
    const name = `process ${process.pid}, ${visibleLine(process.name)}`
    return { what: `${command} has ended, and the server runs in the background (${name}).`, remedy: foreground }
  }
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  return {
    what: `The server ended ${how} before it responded.`,
    remedy: code === 0 ? foreground : 'Fix the error, or start the command by hand to find it.',
  }
}

function silenceOf({ listening }: SilentStart, { kind, port, seconds }: ExpectedServer) {
  const isContainer = kind === 'container'
  const wanted = isContainer ? `0.0.0.0:${port}` : `127.0.0.1:${port}`
  const remedy = isContainer
    ? 'Let it listen at the address and the port in the environment variables `TCK_HOST` and `TCK_PORT`.'
    : 'Let it listen at 127.0.0.1 and the port in the environment variable `TCK_PORT`.'
  if (listening === null) return { what: `The server sent no HTTP response at ${wanted} in ${seconds} s.`, remedy }
  if (listening.length === 0) return { what: `The server runs, but listens at no port after ${seconds} s.`, remedy }
  if (listening.some((listener) => listener.port === port && isExpected(listener, kind))) {
    const what = `The server accepts connections at ${wanted}, but sent no valid HTTP response in ${seconds} s.`
    return {
      what,
      remedy:
        'It must respond to GET /api/status with plain HTTP that Node.js can read: without TLS, and with at most 16 KiB of headers. See with `curl -v` what it sends.',
    }
  }
  const places = listening.map((listener) => `${listener.address}:${listener.port}`).join(', ')
  const inside = isContainer ? ' inside the container' : ''
  return { what: `The server listens at ${places}${inside}, and not at ${wanted}.`, remedy }
}

/** The engine forwards connections to every address of a container except its loopback. */
function isExpected(listener: Listener, kind: ExpectedServer['kind']): boolean {
  return kind === 'exec' ? isReachable(listener) : !/^(127\.|\[::1\])/.test(listener.address)
}
