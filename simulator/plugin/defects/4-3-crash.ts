import { setTimeout as pause } from 'node:timers/promises'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import { RefusesToStartError } from '../store/start-up.ts'
import { type Defect, rows } from './defect.ts'
import { type Known, knowing } from './known.ts'

/** Long enough for a kill at any moment of a burst to fall between two writes. */
const betweenWritesMs = 15

/** A server that writes the file in two steps: what is unfinished, and then the whole. */
function writesFirst(
  unfinished: (rules: RuleList, encode: Hooks['encodeFile']) => Uint8Array,
  isMeant: (known: Known) => boolean = () => true,
): Override {
  return knowing(({ encodeFile, save }, known) => {
    let isUnfinished = false
    return {
      encodeFile: (rules) => (isUnfinished ? unfinished(rules, encodeFile) : encodeFile(rules)),
      save: async (write, change) => {
        if (isMeant(known)) {
          isUnfinished = true
          await write()
          isUnfinished = false
          await pause(betweenWritesMs)
        }
        await save(write, change)
      },
    }
  })
}

function half(rules: RuleList, encode: Hooks['encodeFile']): Uint8Array {
  const bytes = encode(rules)
  return bytes.subarray(0, bytes.length / 2)
}

/** Clause 4.3 rule 1: what becomes of the file when the process is killed amid changes. */
export const crashDefects: readonly Defect[] = rows('plugin.persist.survives-crash', {
  'crash.file-emptied-before-it-is-written': [
    'The file is truncated before it is written, so a kill in between leaves half of it.',
    writesFirst(half),
  ],
  'crash.loaded-file-overwritten-in-place': [
    'A file that was loaded at the start is overwritten in place, so a kill in between leaves half of it.',
    writesFirst(half, ({ foundFile }) => foundFile),
  ],
  'crash.emptied-file-stops-the-start': [
    'The file is emptied before it is written, and a server that finds an empty file does not start.',
    (hooks) => ({
      ...writesFirst(() => new Uint8Array())(hooks),
      replaceCorruptFile: () => {
        throw new RefusesToStartError('The rules file is empty.', 'Delete the file.')
      },
    }),
  ],
  'crash.rule-written-in-two-steps': [
    'A new rule is saved in two steps, so a kill in between leaves it with default values.',
    writesFirst(
      (rules, encode) =>
        encode([
          ...rules.slice(0, -1),
          ...rules.slice(-1).map((rule) => ({ ...rule, mode: 'mult', value: 7, direction: 'same' }) as const),
        ]),
      ({ change }) => change === 'add-rule',
    ),
  ],
})
