import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pWaitFor from 'p-wait-for'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from './process-alive.ts'

test.skipIf(process.platform !== 'linux')(
  'a process that has ended is not alive, also if its parent has not noticed',
  async () => {
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    expect(isAlive(parent.pid ?? 0)).toBe(true)
    const pid = Number(String(line))
    await pWaitFor(() => !isAlive(pid))
    // It is still there as a zombie.
    expect(process.kill(pid, 0)).toBe(true)
  },
)
