import { createLiveLine } from '../../live-line.ts'

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
  const line = createLiveLine(stream)
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt
    if (passedMs >= patienceMs) line.show(`${what}: ${Math.floor(passedMs / 1_000)} s`)
  }, 1_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    line.clear()
  }
}
