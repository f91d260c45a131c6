import { expect, test } from 'vitest'
import { seed, someOf } from '../../fixtures/test-size.ts'
import { judgeFaulty } from '../judge-faulty.ts'

/** The requirement that each fault violates, by its id. */
const faults = {
  'delete-moves-last-into-hole': 'plugin.delete.keeps-order',
  'delete-404-is-200': 'plugin.delete.index-past-end',
  'negative-index-deletes-last': 'plugin.delete.index-past-end',
  'index-number-with-tail-accepted': 'plugin.delete.index-not-a-number',
  'missing-direction-defaults-to-same': 'plugin.add.requires-every-field',
  'unlisted-direction-taken-for-reverse': 'plugin.add.unlisted-word',
  'value-zero-accepted': 'plugin.add.value-not-positive',
  'value-rounded-to-cents': 'plugin.rule.as-sent',
  'multiplier-not-normalised': 'plugin.list.mode-normalised',
  'login-cut-to-32-bits': 'plugin.rule.as-sent',
  'post-index-is-the-count': 'plugin.add.index-of-new-rule',
  'wrong-key-prefix-accepted': 'plugin.auth.whole-key',
  'bearer-key-ignored': 'plugin.auth.bearer',
  'error-body-as-text-on-405': 'plugin.errors.every',
  'total-off-by-one-after-delete': 'plugin.list.total',
  'rules-loaded-from-start-only': 'plugin.status.rules-loaded-is-total',
  'capacity-answers-400': 'plugin.capacity.answers-500',
  'capacity-refused-but-added': 'plugin.capacity.answers-500',
  'capacity-evicts-first': 'plugin.capacity.answers-500',
  'capacity-overwrites-last': 'plugin.capacity.answers-500',
  'capacity-drops-first-and-answers-500': 'plugin.capacity.answers-500',
  'delete-removes-the-rule-before': 'plugin.delete.keeps-order',
  'capacity-never-frees': 'plugin.capacity.room-after-delete',
  'file-not-saved-on-delete': 'plugin.persist.list',
  'file-saved-after-the-answer': 'plugin.persist.survives-crash',
  'file-written-back-at-stop': 'plugin.start.reset',
  'empty-file-taken-for-no-file': 'plugin.start.file-wins',
  'copy-merged-with-file': 'plugin.start.file-wins',
  'copy-stops-at-gap': 'plugin.start.all-parameters',
} as const

type Fault = keyof typeof faults
const chosen = someOf(Object.keys(faults), 4) as readonly Fault[]

async function statusesOf(fault: string, requirement: string) {
  const outcomes = await judgeFaulty(fault, { only: [requirement], seed: 7 })
  return outcomes.map(({ status }) => status)
}

test.concurrent.for(chosen.map((fault) => [fault, faults[fault]] as const))(
  `a foreign server with the fault %s fails %s (TCK_SEED=${seed})`,
  async ([fault, requirement]) => {
    expect(await statusesOf(fault, requirement)).toContain('failed')
  },
)

test.concurrent.for([...new Set(chosen.map((fault) => faults[fault]))])(
  `without a fault the same server passes %s (TCK_SEED=${seed})`,
  async (requirement) => {
    const statuses = await statusesOf('', requirement)
    // Its list may be full before a check has the rules that it needs.
    expect(new Set(statuses.filter((status) => status !== 'out-of-scope'))).toEqual(new Set(['passed']))
  },
)
