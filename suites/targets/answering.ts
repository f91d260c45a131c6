import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 15

/** Waits for the first HTTP answer of a server at 127.0.0.1; false when it is gone, or has not answered in time. */
export async function untilAnswering(port: number, limitMs: number, isGone: () => boolean): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !isGone()) {
    if (await answers(port)) return true
    await delay(pollMs)
  }
  return false
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
