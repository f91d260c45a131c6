import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choiceSeed, someOf } from '../../fixtures/servers/some-of.ts'
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

/** A few of them by `TCK_SEED`, or all with `TCK_CHOICE=all`. */
function chosenOf(servers: readonly JudgedServer[]): readonly JudgedServer[] {
  const names = someOf(
    servers.map(({ name }) => name),
    1,
  )
  return servers.filter(({ name }) => names.includes(name))
}

const servers = [...chosenOf(conforming), ...chosenOf(wrong)]

describe.each(['idle', 'busy'])(`on a machine that is %s (TCK_SEED=${choiceSeed})`, (state) => {
  const spinning: Worker[] = []

  beforeAll(() => {
    const cores = state === 'busy' ? availableParallelism() : 0
    for (let core = 0; core < cores; core += 1) spinning.push(new Worker('for (;;);', { eval: true }))
  })

  afterAll(async () => {
    await Promise.all(spinning.map((worker) => worker.terminate()))
  })

  test.for(servers)('$name has the same verdicts with one job and with four', { timeout: 600_000 }, async (server) => {
    const more = ['--strict', '--seed', `${choiceSeed}`]
    const one = await verdictsOf(server, 1, more)
    expect(await verdictsOf(server, 4, more)).toEqual(one)
  })
})
