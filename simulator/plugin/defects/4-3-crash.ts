import { setTimeout as pause } from 'node:timers/promises'
import { RefusesToStartError } from '../store/start-up.ts'
import type { Defect } from './defect.ts'

/** Long enough for a kill at any moment of a burst to fall between two writes. */
const betweenWritesMs = 15

const nothing = async () => undefined

/** A server that writes the first part of the file before the whole. */
function truncatesFirst(part: number): Defect['override'] {
  return ({ encodeFile, save }) => {
    let isPart = false
    return {
      encodeFile: (rules) => {
        const bytes = encodeFile(rules)
        return isPart ? bytes.subarray(0, bytes.length * part) : bytes
      },
      save: async (write, change) => {
        isPart = true
        await write()
        isPart = false
        await pause(betweenWritesMs)
        await save(write, change)
      },
    }
  }
}

/** Clause 4.3 rule 1: what becomes of the file when the process is killed amid changes. */
export const crashDefects: readonly Defect[] = [
  {
    id: 'crash.file-emptied-before-it-is-written',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'The file is truncated before it is written, so a kill in between leaves half of it.',
    override: truncatesFirst(0.5),
  },
  {
    id: 'crash.loaded-file-overwritten-in-place',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'A file that was loaded at the start is overwritten in place, so a kill in between leaves half of it.',
    override: (hooks, rulesFile) => {
      const inPlace = { ...hooks, ...truncatesFirst(0.5)(hooks, rulesFile) }
      let isLoaded = false
      return {
        ...inPlace,
        decodeFile: (bytes) => {
          isLoaded = true
          return hooks.decodeFile(bytes)
        },
        save: (write, change) => (isLoaded ? inPlace : hooks).save(write, change),
      }
    },
  },
  {
    id: 'crash.emptied-file-stops-the-start',
    breaks: ['plugin.persist.survives-crash'],
    summary: 'The file is emptied before it is written, and a server that finds an empty file does not start.',
    override: (hooks, rulesFile) => ({
      ...truncatesFirst(0)(hooks, rulesFile),
      replaceCorruptFile: () => {
        throw new RefusesToStartError('The rules file is empty.', 'Delete the file.')
      },
    }),
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
