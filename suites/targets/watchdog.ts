import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { startShell } from './shell.ts'

/**
 * Kills the remaining process groups, then removes the remaining folders, at the end of its input from the kit. A process
 * that is still ending may have written into its folder meanwhile.
 */
const script = `
while read -r event item; do
  case $event in
    started) set -- "$@" "$item" ;;
    ended) for one; do shift; [ "$one" = "$item" ] || set -- "$@" "$one"; done ;;
  esac
done
for one; do case $one in */*) ;; *) kill -s KILL -- "-$one" ;; esac; done
for one; do case $one in */copytrade-tck-*) rm -rf -- "$one" || { sleep 1; rm -rf -- "$one"; } ;; esac; done`

let watchdog: ChildProcess | null = null

/** A shell command that runs after a line from the kit. If the kit ends before, the command does not run. */
const afterLine = (command: string) =>
  `read -r line <&3 && exec 3<&- && exec /bin/sh -c '${command.replaceAll("'", String.raw`'\''`)}'`

/** Like `startShell`, but its process group is killed when the kit has ended, even by SIGKILL. Not on Windows. */
export function startWatched(command: string, variables: NodeJS.ProcessEnv): ChildProcess {
  if (process.platform === 'win32') return startShell(command, ['ignore', 'pipe', 'pipe'], variables)
  watchdog ??= startWatchdog()
  // The kit may be killed at any moment, so the command starts only when the watchdog knows its group.
  const child = startShell(afterLine(command), ['ignore', 'pipe', 'pipe', 'pipe'], variables)
  const line = child.stdio[3] as Socket
  line.on('error', () => undefined)
  watchdog.stdin?.write(`started ${child.pid}\n`, () => {
    line.write('\n')
    line.destroySoon()
  })
  child.once('close', () => watchdog?.stdin?.write(`ended ${child.pid}\n`))
  return child
}

/** Has a folder removed when the kit has ended, even by SIGKILL, unless the returned function was called. Not on Windows. */
export function watchFolder(path: string): () => void {
  if (process.platform === 'win32') return () => undefined
  watchdog ??= startWatchdog()
  watchdog.stdin?.write(`started ${path}\n`)
  return () => watchdog?.stdin?.write(`ended ${path}\n`)
}

function startWatchdog(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  const { stdin } = child
  stdin.on('error', () => undefined)
  ;(stdin as unknown as { unref(): void }).unref()
  return child
}
