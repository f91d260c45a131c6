import { type ChildProcess, spawn } from 'node:child_process'

/** Reads the ids of process groups, and kills the remaining groups at the end of its input. */
const script = `
while read -r event group; do
  case $event in
    started) set -- "$@" "$group" ;;
    ended) for one; do shift; [ "$one" = "$group" ] || set -- "$@" "$one"; done ;;
  esac
done
for one; do kill -s KILL -- "-$one"; done`

let watchdog: ChildProcess | null = null

/**
 * Starts a process that kills this group as soon as the kit has ended, even by SIGKILL: the system then closes the pipe
 * between them. Does nothing without a shell.
 */
export function killAfterKit({ pid }: Pick<ChildProcess, 'pid'>): Disposable {
  if (process.platform === 'win32') return { [Symbol.dispose]: () => undefined }
  watchdog ??= startWatchdog()
  watchdog.stdin?.write(`started ${pid}\n`)
  return { [Symbol.dispose]: () => void watchdog?.stdin?.write(`ended ${pid}\n`) }
}

function startWatchdog(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  const { stdin } = child
  stdin.on('error', () => undefined)
  ;(stdin as unknown as { unref(): void }).unref()
  return child
}
