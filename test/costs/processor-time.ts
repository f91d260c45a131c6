import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

const msPerTick = 10

/** Processes that this one has started and that serve several tests. Their time counts while they run. */
export const longRunning = new Set<number>()

/**
 * The processor time of this process and its child processes, in milliseconds. On systems other than Linux, of this
 * process only.
 */
export function processorTimeMs(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  return [process.pid, ...longRunning].reduce((sum, pid) => sum + timeOfMs(pid), 0)
}

/** The time of a process and of its child processes that have ended; 0 if there is no process with this id. */
function timeOfMs(pid: number): number {
  try {
    // proc_pid_stat(5): utime, stime, cutime and cstime follow eleven fields after the name, which may contain spaces.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const ticks = fields.split(' ').slice(11, 15)
    return ticks.reduce((sum, field) => sum + Number(field), 0) * msPerTick
  } catch {
    return 0
  }
}

const referenceText = Buffer.from(
  Array.from({ length: 20_000 }, (_, at) => `${(at * 2_654_435_761) % 2 ** 32} `).join(''),
)

/** The processor time of a fixed piece of work, in milliseconds: how slow this machine is at the moment. */
export function referenceMs(): number {
  const before = process.cpuUsage()
  deflateSync(referenceText)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
