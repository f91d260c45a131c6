import { expect, test } from 'vitest'
import { serverCommand } from '../fixtures/servers/child.ts'
import { verdictsOf } from './with-jobs.ts'

const quoted = (name: 'plain' | 'faulty') =>
  serverCommand(name)
    .map((part) => `"${part}"`)
    .join(' ')

/** Checks of one server, checks beside them, one that runs alone and those that look at the whole run. */
const chosen = ['plugin.list.total', 'plugin.start.all-parameters', 'plugin.persist.list', 'plugin.errors.every']
const more = [...chosen.flatMap((id) => ['--only', id]), '--seed', '7']

test.for([
  { name: 'a conforming server', exec: `CAPACITY=16 exec ${quoted('plain')}`, verdict: 'partial' },
  {
    name: 'a server with faults in its list, its file and its Copy_N',
    exec: `CAPACITY=16 FAULTS=total-off-by-one-after-delete,copy-stops-at-gap,file-not-saved-on-delete exec ${quoted('faulty')}`,
    verdict: 'non-conformant',
  },
])(
  '$name has the same verdicts, and gets the same rules, with one job and with four',
  async ({ name, exec, verdict }) => {
    const server = { name, exec, capacity: 16 }
    const [one, four] = await Promise.all([verdictsOf(server, 1, more), verdictsOf(server, 4, more)])
    expect(four).toEqual(one)
    expect(one.verdict).toBe(verdict)
  },
)
