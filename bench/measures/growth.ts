import type { Request } from '../load.ts'
import { simulator, withKey } from '../product.ts'
import { medianOf } from '../rounds.ts'
import type { Measurement, Reading } from '../row.ts'
import type { Workspace } from '../workspace.ts'
import { post } from './changes.ts'

const changes = 20

/** Consecutive durable changes on a long list and on a short one: a POST, and a DELETE in the middle. */
export const growth: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => ({
    product: await changesOf(workspace, 100_000),
    limit: await changesOf(workspace, 100),
  }),
}

async function changesOf(workspace: Workspace, rules: number): Promise<() => Promise<Reading>> {
  const { url } = await simulator(workspace, { rules, dataDir: workspace.path(`rules-${rules}`) })
  const remove = { method: 'DELETE', path: `/api/rules/${rules / 2}`, headers: withKey }
  const median = async ({ path, ...request }: Request) => {
    const seconds: number[] = []
    for (let change = 0; change < changes; change += 1) {
      const startedAt = performance.now()
      const response = await fetch(`${url}${path}`, request)
      const body = await response.text()
      seconds.push((performance.now() - startedAt) / 1000)
      if (!response.ok) throw new Error(`${request.method} ${path} got ${response.status}: ${body}`)
    }
    return medianOf(seconds)
  }
  return async () => ({ post: await median(post), delete: await median(remove) })
}
