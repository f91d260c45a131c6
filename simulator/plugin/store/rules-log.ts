import type { Append, StoredFile } from '../../storage/stored-file.ts'
import type { ListChange, RuleList } from '../model/rule-list.ts'
import { emptyLog, encodeRules, logChange } from './file-format.ts'

/** A list, the changes that made it from another one, and that one. */
interface SavedChanges {
  readonly from: RuleList
  /** Undefined for a change of more than one rule. */
  readonly changes: readonly (ListChange | undefined)[]
  readonly to: RuleList
}

/** Up to this length the log is not worth replacing the file. */
const shortLogBytes = 256 * 1024

/** The current content of the file. */
interface Saved {
  readonly list: RuleList
  readonly checksum: number
  /** The length of the file when it was last replaced, and of the changes since. */
  readonly listBytes: number
  readonly logBytes: number
  readonly append: Append | undefined
}

export type RulesLog = ReturnType<typeof rulesLog>

/**
 * Saves a list by appending its changes to the rules file. The file is replaced at the first change, and whenever its
 * log is longer than its list.
 */
export function rulesLog(file: Pick<StoredFile, 'write' | 'appender'>) {
  let saved: Saved | undefined
  return {
    /** Must be called when the list changes in any other way: the next `save` then replaces the file. */
    forget: (): void => {
      saved = undefined
    },
    save: async (changes: SavedChanges): Promise<void> => {
      const before = saved
      // After a failure the content of the file is unknown.
      saved = undefined
      // A file that cannot grow may still have room for the list alone.
      const grown = before && (await append(before, changes).catch(() => undefined))
      saved = grown ?? (await replace(file, changes.to))
    },
  }
}

/** Undefined if the file has to be replaced. */
async function append(before: Saved, { from, changes, to }: SavedChanges): Promise<Saved | undefined> {
  if (before.list !== from) return undefined
  let log = { checksum: before.checksum, lines: '' }
  for (const change of changes) {
    if (change === undefined) return undefined
    log = logChange(log, change)
  }
  const logBytes = before.logBytes + log.lines.length
  if (logBytes > Math.max(before.listBytes, shortLogBytes)) return undefined
  if (!(await before.append?.(Buffer.from(log.lines, 'latin1')))) return undefined
  return { ...before, list: to, checksum: log.checksum, logBytes }
}

async function replace(file: Pick<StoredFile, 'write' | 'appender'>, list: RuleList): Promise<Saved> {
  const bytes = encodeRules(list)
  await file.write(bytes)
  return { list, checksum: emptyLog(bytes).checksum, listBytes: bytes.length, logBytes: 0, append: file.appender?.() }
}
