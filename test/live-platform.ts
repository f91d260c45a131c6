import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createPlatformSimulator, type PlatformSimulatorOptions } from '../simulator/platform/index.ts'

export const livePair = { apiKey: 'bk_live_nobody-may-see-this', apiSecret: 'bs_nobody-may-see-this-'.repeat(4) }
export const liveEnv = { TCK_PLATFORM_KEY: livePair.apiKey, TCK_PLATFORM_SECRET: livePair.apiSecret }

/** A foreign platform, on which accounts cannot be removed. */
export interface LivePlatform {
  readonly url: string
  /** The requests that it received, as `GET /v1/account`. */
  readonly asked: readonly string[]
  readonly simulator: ReturnType<typeof createPlatformSimulator>
}

/** Starts it; it ends with the test. `intercept` may respond to a request itself. Concurrent tests pass their own `onEnd`. */
export async function startLivePlatform(
  options: PlatformSimulatorOptions = {},
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  onEnd: typeof onTestFinished = onTestFinished,
): Promise<LivePlatform> {
  const simulator = createPlatformSimulator({ keyPair: livePair, groups: ['demo', 'real'], ...options })
  const handle = simulator.callback()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (!intercept(request, response)) handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    server.closeAllConnections()
    server.close()
    await simulator.stop()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, simulator }
}
