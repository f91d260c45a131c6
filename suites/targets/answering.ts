import { request } from 'node:http'
import type { StartOptions, StartWait } from './driver.ts'
import { waitUntil } from './wait-until.ts'

/**
 * Waits for the first HTTP response of servers of one kind at 127.0.0.1. Resolves to false when the
 * server is gone, or has not responded in time.
 */
export function createReadinessWait({ readyMs, briefMs }: StartOptions) {
  /** A later start may take as long as the slowest one so far. */
  let slowestMs = 0

  return async (port: number, wait: StartWait, isGone: () => boolean): Promise<boolean> => {
    const startedAt = Date.now()
    const timeoutMs = wait === 'ready' ? readyMs : Math.max(briefMs, 2 * slowestMs)
    let answering = false
    const isDecided = async () => {
      answering = !isGone() && (await answers(port))
      return answering || isGone()
    }
    await waitUntil(isDecided, { timeoutMs, intervalMs: 15 })
    if (answering) slowestMs = Math.max(slowestMs, Date.now() - startedAt)
    return answering
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
