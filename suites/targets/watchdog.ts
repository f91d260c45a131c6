import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { startShell } from './shell.ts'

/** Kills the remaining process groups at the end of its input, since the system closes the pipe from the kit. */
const script = `
while read -r event group; do
  case $event in
    started) set -- "$@" "$group" ;;
    ended) for one; do shift; [ "$one" = "$group" ] || set -- "$@" "$one"; done ;;
  esac
done
for one; do kill -s KILL -- "-$one"; done`

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

function startWatchdog(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  const { stdin } = child
  stdin.on('error', () => undefined)
  ;(stdin as unknown as { unref(): void }).unref()
  return child
}
