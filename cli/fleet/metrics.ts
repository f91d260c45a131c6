import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gauge, Registry } from 'prom-client'
import type { Report } from '../../reports/report.ts'
import { levels } from '../../spec/requirement.ts'
import { UsageError } from '../command-error.ts'
import type { FleetInstall } from '../fleet-document.ts'
import { verdictOf } from './roll-up.ts'

const prefix = 'copytrade_tck_'
const verdicts = ['conformant', 'partial', 'non-conformant', 'incomplete', 'not judged']

/** Serves Prometheus metrics of a fleet at `/metrics` on 127.0.0.1. @throws {UsageError} when the port is not free */
export async function serveMetrics(port: number) {
  const registry = new Registry()
  const record = createRecorder(registry)
  const server = createServer(async (request, response) => {
    const isFound = request.url === '/metrics'
    response.writeHead(isFound ? 200 : 404, { 'Content-Type': isFound ? registry.contentType : 'text/plain' })
    response.end(isFound ? await registry.metrics() : 'The metrics are at /metrics.\n')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause: Error) => {
    throw new UsageError(`\`--metrics\`: ${cause.message}.`, 'Choose another port; 0 finds a free one.', { cause })
  })
  process.stderr.write(`Metrics: http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics\n`)
  return {
    record,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Records the result of a run. The report is null if the run wrote none. */
function createRecorder(registry: Registry) {
  const gauge = (name: string, help: string, ...labels: string[]) =>
    new Gauge({ name: prefix + name, help, labelNames: ['install', ...labels], registers: [registry] })
  const verdict = gauge('verdict', '1 for the verdict of the last run, 0 for the others', 'verdict')
  const failures = gauge('failures', 'Failed checks of the last run; absent if it was not judged', 'level')
  const lastRun = gauge('last_run_timestamp_seconds', 'When the last run began')
  const latency = gauge('response_seconds', 'Median response time of the last run that was judged', 'operation')
  return (judged: FleetInstall, report: Report | null) => {
    const { name: install } = judged
    for (const one of verdicts) verdict.set({ install, verdict: one }, Number(one === verdictOf(judged)))
    for (const level of levels) {
      if (report === null) failures.remove({ install, level })
      else failures.set({ install, level }, judged.failures.filter((failure) => failure.level === level).length)
    }
    if (judged.startedAt !== null) lastRun.set({ install }, Date.parse(judged.startedAt) / 1_000)
    for (const { operation, medianMs } of report?.responseTimes ?? []) {
      latency.set({ install, operation }, medianMs / 1_000)
    }
  }
}
