import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createHostileClient } from '../../fixtures/clients/hostile.ts'
import { type SerialisingProxy, startSerialisingProxy } from '../../fixtures/proxies/serialising.ts'
import { rightKey } from '../../fixtures/servers/child.ts'
import { createClient } from '../../suites/client/client.ts'
import { createRecorder } from '../../suites/client/recorder.ts'
import { directTransport } from '../../suites/client/transport.ts'
import type { Rule } from '../../suites/model/rule.ts'
import { cleanUpPlugin } from '../../suites/safety/guard.ts'
import { openLedger } from '../../suites/safety/ledger.ts'
import { ConcurrentEdit, ServerFault } from '../../suites/safety/list-change-errors.ts'
import { createPlugin } from '../../suites/session/plugin.ts'
import { rulesIn } from '../../suites/session/rules.ts'
import { actualChanges } from './oracle.ts'
import { createRandom } from './random.ts'
import { createRandomEdits } from './random-edits.ts'
import { serverOf } from './server.ts'

export interface Conditions {
  readonly insertsAt: 'start' | 'end'
  /** Milliseconds between two edits of the other client. */
  readonly everyMs: number
  /** The round-trip time to the server. */
  readonly roundTripMs: number
  readonly deletes: number
  readonly seed: number
}

export interface Measured {
  /** DELETE requests of the kit, and how many of them removed a foreign rule. */
  readonly deletes: number
  readonly hits: number
}

const own = { master: 900_000_000, follower: 900_000_001, mode: 'mult', value: 1, direction: 'same' } as const
const isOwn = ({ master }: Pick<Rule, 'master'>) => Number(master) === own.master

/** Repeatedly adds a rule of the kit and removes it through the guard, while another client edits the list. */
export async function measureHits(conditions: Conditions): Promise<Measured> {
  const { insertsAt, everyMs, roundTripMs, deletes, seed } = conditions
  const server = serverOf({ server: insertsAt, faults: [], capacity: 1_000, foreign: 8 })
  await server.start()
  const { port: upstream } = server
  const proxy = await startSerialisingProxy({
    ...{ upstreamPort: () => upstream, key: rightKey, roundTripMs },
    onRequest: async () => 'pass',
  })
  const folder = mkdtempSync(join(tmpdir(), 'attack-'))
  const stop = new AbortController()
  const first = await proxy.list()
  const edits = editByClock({ proxy, insertsAt, everyMs, seed, base: first?.[0]?.index ?? 0 }, stop.signal)
  try {
    const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
    const client = createClient({
      ...{ baseUrl: `http://127.0.0.1:${proxy.port}`, transport: directTransport, timeoutMs: 10_000 },
      ...{ pace: async () => undefined, recorder: createRecorder((text) => text) },
    })
    const plain = createPlugin(client, rightKey)
    for (let count = 0; count < deletes; count += 1) {
      await plain.add(own)
      const list = rulesIn(await plain.list())
      const guarded = cleanUpPlugin({ client, key: rightKey, ledger, isOwn }, list)
      const index = list.findLast(isOwn)?.index
      if (index === undefined) continue
      await guarded.remove(index).catch((error: unknown) => {
        if (!(error instanceof ConcurrentEdit || error instanceof ServerFault)) throw error
      })
    }
    ledger.close()
  } finally {
    stop.abort()
    await edits
    await proxy.close()
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  return { deletes: removals(proxy), hits: actualChanges({ first, passed: proxy.passed, last: null }).hits }
}

function removals({ passed }: SerialisingProxy): number {
  return passed.filter(({ by, method }) => by === 'kit' && method === 'DELETE').length
}

interface Clock extends Pick<Conditions, 'insertsAt' | 'everyMs' | 'seed'> {
  readonly proxy: SerialisingProxy
  readonly base: number
}

/**
 * The other client also removes a leftover rule of the kit: the next DELETE then meets a list with only one such rule.
 */
async function editByClock({ proxy, insertsAt, everyMs, seed, base }: Clock, signal: AbortSignal): Promise<void> {
  const other = createHostileClient({ send: proxy.send, base: () => base }, insertsAt)
  const { edit } = createRandomEdits({ everyMs: null, oneIn: null }, other, createRandom(seed))
  while (!signal.aborted) {
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
    await proxy.inTurn(async () => edit((await proxy.list()) ?? []))
  }
}
