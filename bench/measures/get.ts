import { load, type Request } from '../load.ts'
import { apiKey, limit, simulator } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Started, Workspace } from '../workspace.ts'

interface Served {
  readonly rules: number
  readonly path: string
  readonly key?: string
  readonly status: number
}

/** A GET to the simulator, and to node:http with the same response prepared. */
export const get = ({ rules, path, key = apiKey, status }: Served): Measurement => ({
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const request = { method: 'GET', path, headers: { 'x-api-key': key } }
    const server = await simulator(workspace, { rules })
    const raw = await rawServer(workspace, server, [request])
    return { product: () => load(server.url, [request], [status]), limit: () => load(raw.url, [request], [status]) }
  },
})

/** Headers that Node adds itself. */
const ofNode = ['date', 'connection', 'keep-alive']

/** node:http with the responses of another server to these requests, at most one for each method. */
export async function rawServer(workspace: Workspace, other: Started, requests: readonly Request[]): Promise<Started> {
  const responses: Record<string, unknown> = {}
  for (const { path, ...request } of requests) {
    const response = await fetch(`${other.url}${path}`, request)
    const headers = [...response.headers].filter(([name]) => !ofNode.includes(name))
    const body = await response.text()
    responses[request.method] = { status: response.status, headers: Object.fromEntries(headers), body }
  }
  const file = workspace.write('responses.json', JSON.stringify(responses))
  return workspace.serve((port) => limit('raw.mjs', file, port))
}
