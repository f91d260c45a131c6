import { visibleLine } from '../../../reports/visible.ts'
import { isReachable, type Listener } from '../../../suites/targets/listeners.ts'
import type { SilentStart } from '../../../suites/targets/own-servers.ts'
import { UnreachableError } from '../../command-error.ts'

/** Where the kit expected a server. */
export interface ExpectedServer {
  readonly kind: 'exec' | 'container'
  readonly port: number
  /** Path of the file with its output. */
  readonly log: string
  /** How long the kit waited. */
  readonly seconds: number
}

/** What went wrong, and what to do about it. */
interface Reason {
  readonly what: string
  readonly remedy: string
}

/** The error for a server that the kit has started and that does not respond. */
export function silentStart(facts: SilentStart, expected: ExpectedServer): UnreachableError {
  const { what, remedy } = reasonOf(facts, expected)
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

function reasonOf(facts: SilentStart, expected: ExpectedServer): Reason {
  return facts.ended === null ? silenceOf(facts, expected) : endOf(facts, facts.ended, expected)
}

const foreground =
  'The command must run as long as the server: `exec ./server`, without `&` and without an option that makes it a daemon.'

function endOf(
  { processes }: SilentStart,
  { code, signal }: NonNullable<SilentStart['ended']>,
  { kind }: ExpectedServer,
): Reason {
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

function silenceOf({ listening }: SilentStart, { kind, port, seconds }: ExpectedServer): Reason {
  const isContainer = kind === 'container'
  const wanted = isContainer ? `0.0.0.0:${port}` : `127.0.0.1:${port}`
  const remedy = isContainer
    ? 'Let it listen at the address and the port in the environment variables `TCK_HOST` and `TCK_PORT`.'
    : 'Let it listen at 127.0.0.1 and the port in the environment variable `TCK_PORT`.'
  if (listening === null) return { what: `The server sent no HTTP response at ${wanted} in ${seconds} s.`, remedy }
  if (listening.length === 0) return { what: `The server runs, but listens at no port after ${seconds} s.`, remedy }
  if (listening.some((listener) => listener.port === port && isExpected(listener, kind))) {
    const what = `The server accepts connections at ${wanted}, but sent no HTTP response in ${seconds} s.`
    return { what, remedy: 'It must respond to GET /api/status with plain HTTP, without TLS.' }
  }
  const places = listening.map((listener) => `${listener.address}:${listener.port}`).join(', ')
  const inside = isContainer ? ' inside the container' : ''
  return { what: `The server listens at ${places}${inside}, and not at ${wanted}.`, remedy }
}

/** The engine forwards connections to any address of a container but its loopback. */
function isExpected(listener: Listener, kind: ExpectedServer['kind']): boolean {
  return kind === 'exec' ? isReachable(listener) : !/^(127\.|\[::1\])/.test(listener.address)
}
