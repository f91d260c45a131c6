import { setTimeout as pause } from 'node:timers/promises'
import { reject } from '../../defect-parts/reject.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'

/** Long enough for requests that were sent at the same time to meet. */
const writingTakesMs = 20

function slowly(save: Hooks['save']): Hooks['save'] {
  return async (write, change) => {
    await pause(writingTakesMs)
    await save(write, change)
  }
}

/** What any server should withstand: changes that are asked for at the same time. */
export const parallelDefects: readonly Defect[] = [
  {
    id: 'robust.update-lost',
    breaks: ['plugin.robust.parallel-writes', 'plugin.robust.overlapping-requests'],
    summary: 'Concurrent changes overwrite each other, so the last one wins.',
    override: ({ save }) => ({
      serialise: (_, change) => change(),
      save: slowly(save),
    }),
  },
  {
    id: 'robust.one-place-for-two',
    breaks: ['plugin.robust.parallel-writes', 'plugin.robust.overlapping-requests'],
    summary: 'Two concurrent POSTs get the same index, and one rule is lost.',
    override: ({ serialise, addRule, removeRule, fitCopiesToCapacity, save }) => {
      let length = Number.POSITIVE_INFINITY
      let chosen = length
      return {
        fitCopiesToCapacity: (copies, capacity) => {
          const rules = fitCopiesToCapacity(copies, capacity)
          length = rules.length
          return rules
        },
        serialise: (mutex, change) => {
          const place = length
          return serialise(mutex, () => {
            chosen = place
            return change()
          })
        },
        addRule: (rules, rule) => {
          const addition = addRule(rules.slice(0, chosen), rule)
          length = addition.rules.length
          return addition
        },
        removeRule: (rules, position) => {
          const left = removeRule(rules, position)
          length = left.length
          return left
        },
        save: slowly(save),
      }
    },
  },
  {
    id: 'robust.follower-in-a-shared-variable',
    breaks: ['plugin.robust.parallel-writes', 'plugin.robust.overlapping-requests'],
    summary: 'The follower is read into a variable shared by all requests, so concurrent POSTs get the wrong one.',
    override: ({ fitLogin, addRule, save }) => {
      let follower = 0n
      return {
        fitLogin: (field, login) => {
          const kept = fitLogin(field, login)
          if (field === 'follower') follower = kept
          return kept
        },
        addRule: (rules, rule) => addRule(rules, { ...rule, follower }),
        save: slowly(save),
      }
    },
  },
  {
    id: 'robust.second-writer-turned-away',
    breaks: ['plugin.robust.parallel-writes'],
    summary: 'A change returns 503 while another one is being saved.',
    override: ({ serialise, save }) => {
      let saving = false
      return {
        serialise: (mutex, change) => (saving ? reject(503, 'The rules are being saved.') : serialise(mutex, change)),
        save: async (write, change) => {
          saving = true
          await pause(writingTakesMs)
          saving = false
          await save(write, change)
        },
      }
    },
  },
]
