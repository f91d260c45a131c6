import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import pWaitFor from 'p-wait-for'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from './process-alive.ts'

test.skipIf(process.platform !== 'linux')(
  'an ended process is not alive, even if its parent has not reaped it',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(String(line))
    // The shell may reap its child. `sleep` does not.
    await pWaitFor(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
    expect([parent.pid ?? 0, pid].map(isAlive)).toEqual([true, true])
    process.kill(pid, 'SIGKILL')
    await pWaitFor(() => !isAlive(pid))
    // It is still there as a zombie.
    expect(process.kill(pid, 0)).toBe(true)
  },
)
