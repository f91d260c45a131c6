import { expect, test } from 'vitest'
import { judgeFaulty } from './judge-faulty.ts'

/** The requirement that each fault breaks, in the words of the kit. */
const faults = {
  'delete-moves-last-into-hole': 'plugin.delete.keeps-order',
  'delete-404-is-200': 'plugin.delete.index-past-end',
  'negative-index-deletes-last': 'plugin.delete.index-negative',
  'index-number-with-tail-accepted': 'plugin.delete.index-with-trailing-text',
  'missing-direction-defaults-to-same': 'plugin.add.requires-direction',
  'unlisted-direction-taken-for-reverse': 'plugin.add.direction-unlisted',
  'value-zero-accepted': 'plugin.add.value-zero',
  'value-rounded-to-cents': 'plugin.rule.keeps-value',
  'multiplier-not-normalised': 'plugin.list.mode-normalised',
  'login-cut-to-32-bits': 'plugin.rule.keeps-master',
  'post-index-is-the-count': 'plugin.add.index-of-new-rule',
  'wrong-key-prefix-accepted': 'plugin.auth.whole-key',
  'bearer-key-ignored': 'plugin.auth.bearer',
  'error-body-as-text-on-405': 'plugin.errors.405',
  'total-off-by-one-after-delete': 'plugin.list.total-follows',
  'rules-loaded-from-start-only': 'plugin.status.rules-loaded-follows',
  'capacity-answers-400': 'plugin.capacity.answers-500',
  'capacity-refused-but-added': 'plugin.capacity.changes-nothing',
  'capacity-evicts-first': 'plugin.capacity.changes-nothing',
  'capacity-overwrites-last': 'plugin.capacity.changes-nothing',
  'capacity-drops-first-and-answers-500': 'plugin.capacity.changes-nothing',
  'delete-removes-the-rule-before': 'plugin.delete.removes-that-rule',
  'capacity-never-frees': 'plugin.capacity.room-after-delete',
  'file-not-saved-on-delete': 'plugin.persist.removed',
  'file-saved-after-the-answer': 'plugin.persist.added-survives-crash',
  'file-written-back-at-stop': 'plugin.start.file-not-written-back',
  'empty-file-taken-for-no-file': 'plugin.start.empty-file-wins',
  'copy-merged-with-file': 'plugin.start.file-wins',
  'copy-stops-at-gap': 'plugin.start.all-parameters',
} as const

async function statusesOf(fault: string, requirement: string) {
  const outcomes = await judgeFaulty(fault, { only: [requirement], seed: 7 })
  return outcomes.map(({ status }) => status)
}

test.concurrent.for(Object.entries(faults))(
  'a foreign server with the fault %s fails %s',
  async ([fault, requirement]) => {
    expect(await statusesOf(fault, requirement)).toContain('failed')
  },
)

test.concurrent.for([...new Set(Object.values(faults))])(
  'without a fault the same server passes %s',
  async (requirement) => {
    const statuses = await statusesOf('', requirement)
    expect(new Set(statuses)).toEqual(new Set(['passed']))
  },
)
