import type { Reading } from './row.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** The used parts of autocannon's result. */
interface Shot {
  readonly requests: { readonly total: number }
  readonly duration: number
  readonly latency: { readonly p99: number }
  readonly errors: number
  readonly statusCodeStats: Readonly<Record<string, unknown>>
}

/** Resolved at run time only: it is installed in this folder, not in the project. */
const generator: string = 'autocannon'

/**
 * Sends the requests in turn over 32 connections for a second, each after the response to the previous one.
 * @returns requests a second, and the 99th percentile of the latency in ms
 * @throws if a response has another status than these, so that no server is quick by being wrong
 */
export async function load(url: string, requests: readonly Request[], statuses: readonly number[]): Promise<Reading> {
  const { default: autocannon } = await import(generator)
  const shot: Shot = await autocannon({ url, connections: 32, duration: 1, requests })
  const others = Object.keys(shot.statusCodeStats).filter((status) => !statuses.includes(Number(status)))
  if (shot.errors > 0 || others.length > 0) throw new Error(`${url}: ${shot.errors} errors, statuses ${others}`)
  return { rate: shot.requests.total / shot.duration, p99: shot.latency.p99 }
}
