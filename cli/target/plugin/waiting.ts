import { clearLine, cursorTo } from 'node:readline'

/** Nothing is shown for a wait that is over sooner. */
const patienceMs = 2_000

/** Does the work and, on a terminal, shows from the third second on what it waits for. */
export async function showWait<Result>(
  stream: NodeJS.WriteStream,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!stream.isTTY) return work()
  const startedAt = performance.now()
  const clear = () => {
    cursorTo(stream, 0)
    clearLine(stream, 0)
  }
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt
    if (passedMs < patienceMs) return
    clear()
    stream.write(`${what}: ${Math.floor(passedMs / 1_000)} s`)
  }, 1_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    clear()
  }
}
