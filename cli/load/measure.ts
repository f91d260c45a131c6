import type { Exchange } from '../../suites/client/exchange.ts'
import type { HttpResponse } from '../../suites/client/response.ts'
import { NoResponse } from '../../suites/client/response.ts'
import type { PluginContext } from '../../suites/runner/plugin/context.ts'
import { openLoop } from './open-loop.ts'

/** One request. */
export interface Sample {
  readonly operation: string
  /** Of a read, from when it was due; of a write, from when it was sent. */
  readonly latencyMs: number
  /** How much of it is the fault of the kit, which sent the request too late. */
  readonly lateMs: number
  /** Null for a success. */
  readonly failure: string | null
}

export interface Measured {
  readonly samples: readonly Sample[]
  /** Why it ended early, such as a concurrent edit; null if it did not. */
  readonly stopped: unknown
}

interface LoadOptions {
  readonly rate: number
  readonly durationMs: number
  /** Rules per second. */
  readonly writes: number
  readonly signal: AbortSignal
}

/**
 * Sends reads at a fixed rate. Beside them one rule of the kit after the other is added and removed:
 * a DELETE names an index, so two writes at a time could hit another rule. A write waits for the reads
 * of the guard, so its time counts from when it is sent.
 */
export async function measure({ main }: PluginContext, options: LoadOptions): Promise<Measured> {
  const { rate, durationMs, writes } = options
  const samples: Sample[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])

  const timed = async (operation: string, dueAt: number | null, request: () => Promise<HttpResponse>) => {
    const lateMs = dueAt === null ? 0 : performance.now() - dueAt
    const add = ({ durationMs }: Exchange, failure: string | null) => {
      const latencyMs = dueAt === null ? durationMs : performance.now() - dueAt
      samples.push({ operation, latencyMs, lateMs, failure })
    }
    try {
      const { status, exchange } = await request()
      add(exchange, status < 300 ? null : `status ${status}`)
    } catch (error) {
      if (error instanceof NoResponse) add(error.exchange, 'no response')
      else stop.abort(error)
    }
  }
  const read = (place: number, dueAt: number) =>
    place % 2 === 0
      ? timed('GET /api/status', dueAt, () => main.plugin.status())
      : timed('GET /api/rules', dueAt, () => main.plugin.list())
  let writing = Promise.resolve()
  const write = () => {
    writing = writing.then(async () => {
      if (signal.aborted) return
      const rule = main.rules.draft()
      await timed('POST /api/rules', null, () => main.plugin.add(rule))
      await timed('DELETE /api/rules/{n}', null, () => main.rules.sendRemoval(rule))
    })
    return writing
  }
  await Promise.all([
    openLoop({ rate, durationMs, signal, send: read }),
    openLoop({ rate: writes, durationMs, signal, send: write }),
  ])
  return { samples, stopped: stop.signal.aborted ? stop.signal.reason : null }
}
