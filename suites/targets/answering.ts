import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Patience {
  /** How long a server that should come up may take. */
  readonly readyMs: number
  /** How long to wait at least for a server that may stay silent. */
  readonly briefMs: number
}

const pollMs = 15

/**
 * Waits for the first HTTP answer of a server at 127.0.0.1, one of several of the same kind; false
 * when it is gone, or has not answered in time.
 */
export function createWaiting({ readyMs, briefMs }: Patience) {
  /** A server that has taken long before may take so long again. */
  let slowestMs = 0

  return async (port: number, patience: 'ready' | 'brief', isGone: () => boolean): Promise<boolean> => {
    const begun = Date.now()
    const deadline = begun + (patience === 'ready' ? readyMs : Math.max(briefMs, 2 * slowestMs))
    while (Date.now() < deadline && !isGone()) {
      if (await answers(port)) {
        slowestMs = Math.max(slowestMs, Date.now() - begun)
        return true
      }
      await delay(pollMs)
    }
    return false
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ host: '127.0.0.1', port, path: '/api/status', agent: false, timeout: 1000 })
    probe.on('response', (response) => {
      response.resume()
      resolve(true)
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.end()
  })
}
