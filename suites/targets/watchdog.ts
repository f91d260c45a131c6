import { type ChildProcess, spawn } from 'node:child_process'

/** Keeps the process groups that are named to it, and kills those that are left at the end of its input. */
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
 * A process that kills this group as soon as the kit has ended, even by SIGKILL, unless the group ended before: the
 * system closes the pipe between the two. Does nothing if there is no shell that could.
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
