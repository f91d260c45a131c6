import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverCommand } from '../../fixtures/servers/child.ts'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { conformingServers } from '../conforming-servers.ts'
import { variantCommand, variants } from '../judge-variants.ts'
import { type JudgedServer, verdictsOf } from '../with-jobs.ts'
import { faultsOf, shellCommand, wrongServers } from '../wrong-servers.ts'

const capacity = 16

const conforming: readonly JudgedServer[] = [
  ...conformingServers.map(({ name, run }) => ({ name, exec: `CAPACITY=${capacity} exec ${run}`, capacity })),
  ...variants.map(({ name }) => ({ name, exec: variantCommand([name], capacity), capacity })),
]

const wrong: readonly JudgedServer[] = wrongServers
  .filter(({ name }) => name === 'wrong-python')
  .flatMap((server) =>
    faultsOf(server).map((name) => ({ name, exec: shellCommand(server, name), capacity: server.capacity })),
  )

function chosenOf(servers: readonly JudgedServer[]): readonly JudgedServer[] {
  const names = someOf(
    servers.map(({ name }) => name),
    1,
  )
  return servers.filter(({ name }) => names.includes(name))
}

const servers = [...chosenOf(conforming), ...chosenOf(wrong)]

/** Not drawn like the servers: the same draw would always combine the same ones. */
const states = isProof ? ['idle', 'busy'] : [seed % 2 === 0 ? 'idle' : 'busy']

/** Checks of the target, checks of additional servers, one that runs alone and those about the whole run. */
const some = ['plugin.list.total', 'plugin.start.all-parameters', 'CT-601', 'CT-614', 'plugin.errors.every']
const chosen = isProof ? [] : some.flatMap((id) => ['--only', id])

describe.each(states)(`on a machine that is %s (TCK_SEED=${seed})`, (state) => {
  const spinning: Worker[] = []

  beforeAll(() => {
    const cores = state === 'busy' ? availableParallelism() : 0
    for (let core = 0; core < cores; core += 1) spinning.push(new Worker('for (;;);', { eval: true }))
  })

  afterAll(async () => {
    await Promise.all(spinning.map((worker) => worker.terminate()))
  })

  test.for(servers)('$name has the same verdicts with one job and with four', { timeout: 600_000 }, async (server) => {
    const more = ['--strict', '--seed', `${seed}`, ...chosen]
    const one = await verdictsOf(server, 1, more)
    expect(await verdictsOf(server, 4, more)).toEqual(one)
  })
})

test('a server with defects in its list, its file and its Copy_N has the same verdicts, and gets the same rules, with one job and with four', async () => {
  const command = serverCommand('faulty').map((part) => `"${part}"`)
  const faults = 'total-off-by-one-after-delete,copy-stops-at-gap,file-not-saved-on-delete'
  const server = { name: 'faulty', exec: `CAPACITY=16 FAULTS=${faults} exec ${command.join(' ')}`, capacity: 16 }
  const more = [...some.flatMap((id) => ['--only', id]), '--seed', '7']
  const [one, four] = await Promise.all([verdictsOf(server, 1, more), verdictsOf(server, 4, more)])
  expect(four).toEqual(one)
  expect(one.verdict).toBe('non-conformant')
})
