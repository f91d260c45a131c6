import { setImmediate } from 'node:timers/promises'
import { exitCode } from './exit-code.ts'

/** Why a command ends early: the `reason` of its abort signal. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  /** Whether the terminal or the reader of the output is gone. */
  readonly unattended: boolean

  constructor(message: string, options: ErrorOptions & { readonly unattended?: boolean } = {}) {
    super(message, options)
    this.unattended = options.unattended ?? false
  }
}

// One for the process, since signals, closed output and uncaught errors concern the whole process.
const controller = new AbortController()
let isInterruptible = false
let signalled: { readonly name: string; readonly at: number } | null = null
let isUncaught = false

const afterCheck = 'Stopping after the current check, then cleaning up.'

/**
 * Aborted by the first Ctrl-C, SIGTERM or SIGHUP, by closed output or by an uncaught error. A second signal ends the
 * process at once. `notice` is printed on the first one.
 */
export function interruption(notice = afterCheck): AbortSignal {
  isInterruptible = true
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopBy(name, notice))
  return controller.signal
}

/** The SIGHUPs of one closed terminal arrive within this time. */
const oneHangUpMs = 1_000

function stopBy(name: NodeJS.Signals, notice: string): void {
  // The shell and the kernel may both send SIGHUP when a terminal closes.
  if (name === 'SIGHUP' && signalled?.name === name && performance.now() - signalled.at < oneHangUpMs) return
  // Calls `exit`, whose handlers end the servers that the kit started.
  if (signalled !== null) process.exit(130)
  signalled = { name, at: performance.now() }
  process.stderr.write(`\n${notice} Press Ctrl-C again to end at once.\n`)
  controller.abort(new Interruption(name, { unattended: name === 'SIGHUP' }))
}

/** Errors of writing to a pipe without a reader or to a closed terminal. */
const closedOutput: readonly unknown[] = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

/** Discards output that nothing reads. A command that can be interrupted cleans up and ends. */
export function discardUnreadOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!closedOutput.includes(error.code)) throw error
      controller.abort(new Interruption('the output was closed', { unattended: true }))
    })
  }
}

/** Makes a command that can be interrupted clean up after an uncaught error; any other ends at once. */
export function cleanUpAfterUncaughtError(report: (error: unknown) => void): void {
  process.on('uncaughtException', (error: unknown) => {
    // Only once: if writing fails, reporting it would raise the next error.
    if (!isUncaught) report(error)
    isUncaught = true
    if (!isInterruptible) process.exit(exitCode.kitError)
    const message = error instanceof Error ? error.message : String(error)
    controller.abort(new Interruption(`internal error of the kit: ${message}`, { cause: error }))
  })
  process.on('exit', (code) => {
    if (isUncaught && code !== exitCode.harmed) process.exitCode = exitCode.kitError
  })
}

/** The exit code of a finished command. A verdict that could not be printed does not count. */
export async function exitCodeAfter(signal: AbortSignal, code: number): Promise<number> {
  // The error of a failed write is emitted only after this turn of the event loop.
  await setImmediate()
  const { reason } = signal
  const isVerdict = code === exitCode.conformant || code === exitCode.nonConformant
  return isVerdict && reason instanceof Interruption && reason.unattended ? exitCode.incomplete : code
}
