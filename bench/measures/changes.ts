import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { load, type Request } from '../load.ts'
import { simulator, withKey } from '../product.ts'
import type { Measurement } from '../row.ts'
import type { Workplace } from '../workplace.ts'
import { rawServer } from './get.ts'

export const post: Request = {
  method: 'POST',
  path: '/api/rules',
  headers: { ...withKey, 'content-type': 'application/json' },
  body: '{"master":1001,"follower":2001,"mode":"mult","value":1.5,"direction":"same"}',
}

/** Of the first rule: every connection has added one before, so there is one, and the list stays short. */
const remove: Request = { method: 'DELETE', path: '/api/rules/0', headers: withKey }

const statuses = [200, 201]

/** POST and DELETE in turn. The rules are in a file in memory, where fsync costs nothing. */
export const savedChanges: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workplace) => {
    const server = await simulator(workplace, { rules: 0, dataDir: memoryFolder(workplace) })
    const raw = await rawServer(workplace, server, [post, remove])
    return {
      product: () => load(server.url, [post, remove], statuses),
      limit: () => load(raw.url, [post, remove], statuses),
    }
  },
}

/** The same changes with the file on disk, where each is synced, and in memory. */
export const durableChanges: Measurement = {
  rounds: 5,
  warmUp: true,
  open: async (workplace) => {
    const durable = await simulator(workplace, { rules: 0, dataDir: workplace.path('rules') })
    const saved = await simulator(workplace, { rules: 0, dataDir: memoryFolder(workplace) })
    return {
      product: () => load(durable.url, [post, remove], statuses),
      limit: () => load(saved.url, [post, remove], statuses),
    }
  },
}

const memory = '/dev/shm'

function memoryFolder(workplace: Workplace): string {
  if (!existsSync(memory)) throw new Error(`Saving without fsync is measured in ${memory}, which this system lacks.`)
  const folder = mkdtempSync(join(memory, 'copytrade-tck-bench-'))
  workplace.onEnd(() => rmSync(folder, { recursive: true }))
  return folder
}
