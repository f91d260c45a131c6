import { expect, test } from 'vitest'
import { signatureOf } from '../../cli/baseline/signature.ts'
import { seed, someOf } from '../../fixtures/test-size.ts'
import { judgeFaulty } from '../judge-faulty.ts'

/** The signatures by check, of the checks that fail for this fault. */
async function signatures(fault: string, requirement: string, seed: number): Promise<ReadonlyMap<string, string>> {
  const outcomes = await judgeFaulty(fault, { only: [requirement], seed })
  const failed = outcomes.filter(({ status }) => status === 'failed')
  return new Map(failed.map(({ check, code, data }) => [check, signatureOf({ id: check, code, data })]))
}

const faults = [
  ['delete-moves-last-into-hole', 'plugin.delete.keeps-order'],
  ['missing-direction-defaults-to-same', 'plugin.add.requires-every-field'],
  ['post-index-is-the-count', 'plugin.add.index-of-new-rule'],
  ['wrong-key-prefix-accepted', 'plugin.auth.whole-key'],
  ['total-off-by-one-after-delete', 'plugin.list.total'],
  ['copy-merged-with-file', 'plugin.start.file-wins'],
] as const

test.for(someOf(faults, 3))(
  `${'%s'} has the same signatures with other seeds (TCK_SEED=${seed})`,
  async ([fault, requirement]) => {
    const [first, other] = await Promise.all([1, 20_260_101].map((seed) => signatures(fault, requirement, seed)))
    expect(first?.size).toBeGreaterThan(0)
    expect(other).toEqual(first)
  },
)

test.for([
  ['plugin.delete.index-not-a-number', 'delete-404-is-200', 'index-number-with-tail-accepted'],
  ['plugin.capacity.answers-500', 'capacity-answers-400', 'capacity-refused-but-added'],
] as const)('for %s, %s and %s fail the same check with different signatures', async ([requirement, ...faults]) => {
  const [one, other] = await Promise.all(faults.map((fault) => signatures(fault, requirement, 1)))
  const shared = [...(one ?? [])].flatMap(([check, signature]) => {
    const another = other?.get(check)
    return another === undefined ? [] : [[signature, another] as const]
  })
  expect(shared.length).toBeGreaterThan(0)
  for (const [signature, another] of shared) expect(signature).not.toBe(another)
})
