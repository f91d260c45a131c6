import { load, type Request } from '../load.ts'
import { simulator, withKey } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Workspace } from '../workspace.ts'
import { rawServer } from './get.ts'

export const post: Request = {
  method: 'POST',
  path: '/api/rules',
  headers: { ...withKey, 'content-type': 'application/json' },
  body: '{"master":1001,"follower":2001,"mode":"mult","value":1.5,"direction":"same"}',
}

/** Removes the first rule: every connection has added one before, so there is one, and the list stays short. */
const remove: Request = { method: 'DELETE', path: '/api/rules/0', headers: withKey }

const statuses = [200, 201]

/** Alternating POST and DELETE, saved but not synced. */
export const savedChanges: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const server = await unsynced(workspace)
    const raw = await rawServer(workspace, server, [post, remove])
    return {
      product: () => load(server.url, [post, remove], statuses),
      limit: () => load(raw.url, [post, remove], statuses),
    }
  },
}

/** The same changes with and without a sync to disk before each response. */
export const durableChanges: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workspace) => {
    const durable = await simulator(workspace, { rules: 0, dataDir: workspace.path('durable') })
    const saved = await unsynced(workspace)
    return {
      product: () => load(durable.url, [post, remove], statuses),
      limit: () => load(saved.url, [post, remove], statuses),
    }
  },
}

const unsynced = (workspace: Workspace) =>
  simulator(workspace, { rules: 0, dataDir: workspace.path('saved'), args: ['--no-fsync'] })
