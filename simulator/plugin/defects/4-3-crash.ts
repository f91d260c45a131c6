import { setTimeout as pause } from 'node:timers/promises'
import type { Defect } from './defect.ts'

/** Long enough for a kill at any moment of a burst to fall between two writes. */
const betweenWritesMs = 15

const nothing = async () => undefined

/** Clause 4.3 rule 1: what becomes of the file when the process is killed amid changes. */
export const crashDefects: readonly Defect[] = [
  {
    id: 'crash.file-emptied-before-it-is-written',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'The file is truncated before it is written, so a kill in between leaves half of it.',
    override: ({ encodeFile, save }) => {
      let half = false
      return {
        encodeFile: (rules) => {
          const bytes = encodeFile(rules)
          return half ? bytes.subarray(0, bytes.length / 2) : bytes
        },
        save: async (write, change) => {
          half = true
          await write()
          half = false
          await pause(betweenWritesMs)
          await save(write, change)
        },
      }
    },
  },
  {
    id: 'crash.saved-ten-times-a-second',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'Changes are acknowledged at once and saved every 100 ms.',
    override: () => {
      let latest: (() => Promise<void>) | undefined
      return {
        save: async (write) => {
          if (latest === undefined) {
            setTimeout(() => {
              // A server that has died meanwhile writes nothing; that is the point.
              latest?.().catch(nothing)
              latest = undefined
            }, 100).unref()
          }
          latest = write
        },
      }
    },
  },
  {
    id: 'crash.rule-written-in-two-steps',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'A new rule is saved in two steps, so a kill in between leaves it with default values.',
    override: ({ encodeFile, save }) => {
      let halfWritten = false
      return {
        encodeFile: (rules) =>
          encodeFile(
            halfWritten
              ? rules.map((rule, at) =>
                  at === rules.length - 1 ? { ...rule, mode: 'mult', value: 7, direction: 'same' } : rule,
                )
              : rules,
          ),
        save: async (write, change) => {
          if (change === 'add-rule') {
            halfWritten = true
            await write()
            halfWritten = false
            await pause(betweenWritesMs)
          }
          await save(write, change)
        },
      }
    },
  },
]
