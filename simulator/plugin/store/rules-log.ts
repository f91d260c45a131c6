import type { Append, StoredFile } from '../../storage/stored-file.ts'
import { changeBetween, type RuleList } from '../model/rule-list.ts'
import { emptyLog, encodeRules, logChange } from './file-format.ts'

/** Saves lists by appending to the rules file the change from one list to the next. */
export interface RulesLog {
  readonly save: (lists: readonly RuleList[]) => Promise<void>
  /** Must be called when the list changes in any other way: the next `save` then replaces the file. */
  readonly forget: () => void
}

/** Up to this length the log is not worth replacing the file. */
const shortLogBytes = 64 * 1024

/** The current content of the file. */
interface Saved {
  readonly list: RuleList
  readonly checksum: number
  /** The length of the file when it was last replaced, and of the changes since. */
  readonly listBytes: number
  readonly logBytes: number
  readonly append: Append | undefined
}

/** The file is replaced at the first change, and whenever its log is longer than its list. */
export function rulesLog(file: Pick<StoredFile, 'write' | 'appender'>): RulesLog {
  let saved: Saved | undefined
  return {
    forget: () => {
      saved = undefined
    },
    save: async (lists) => {
      const before = saved
      // After a failure the content of the file is unknown.
      saved = undefined
      // A file that cannot grow may still have room for the list alone.
      const grown = before && (await append(before, lists).catch(() => undefined))
      saved = grown ?? (await replace(file, lists.at(-1) ?? []))
    },
  }
}

/** Undefined if the file has to be replaced. */
async function append(before: Saved, lists: readonly RuleList[]): Promise<Saved | undefined> {
  let log = { checksum: before.checksum, lines: '' }
  let list = before.list
  for (const next of lists) {
    const change = changeBetween(list, next)
    if (change === undefined) return undefined
    log = logChange(log, change)
    list = next
  }
  const logBytes = before.logBytes + log.lines.length
  if (logBytes > Math.max(before.listBytes, shortLogBytes)) return undefined
  if (!(await before.append?.(Buffer.from(log.lines, 'latin1')))) return undefined
  return { ...before, list, checksum: log.checksum, logBytes }
}

async function replace(file: Pick<StoredFile, 'write' | 'appender'>, list: RuleList): Promise<Saved> {
  const bytes = encodeRules(list)
  await file.write(bytes)
  return { list, checksum: emptyLog(bytes).checksum, listBytes: bytes.length, logBytes: 0, append: file.appender?.() }
}
