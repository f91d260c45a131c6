import { expect, test } from 'vitest'
import { serverCommand } from '../fixtures/servers/child.ts'
import { verdictsOf } from './with-jobs.ts'

const command = serverCommand('faulty')
  .map((part) => `"${part}"`)
  .join(' ')

/** Checks of one server, checks beside them, one that runs alone and those that look at the whole run. */
const chosen = ['plugin.list.total', 'plugin.start.all-parameters', 'CT-601', 'CT-614', 'plugin.errors.every']
const more = [...chosen.flatMap((id) => ['--only', id]), '--seed', '7']

/** `test/outside/jobs.test.ts` has conforming servers too. */
const faults = 'total-off-by-one-after-delete,copy-stops-at-gap,file-not-saved-on-delete'

test('a server with faults in its list, its file and its Copy_N has the same verdicts, and gets the same rules, with one job and with four', async () => {
  const server = { name: 'faulty', exec: `CAPACITY=16 FAULTS=${faults} exec ${command}`, capacity: 16 }
  const [one, four] = await Promise.all([verdictsOf(server, 1, more), verdictsOf(server, 4, more)])
  expect(four).toEqual(one)
  expect(one.verdict).toBe('non-conformant')
})
