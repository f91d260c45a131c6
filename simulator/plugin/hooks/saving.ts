import { serialise } from '../../server/api.ts'
import { encodeRules } from '../store/file-format.ts'
import type { RulesFile } from '../store/rules-file.ts'

export type ChangeName = 'add-rule' | 'remove-rule'

/** When the list is saved (clause 4.3 rule 1). */
export const savingHooks = {
  /** Runs before the response to a change is sent; rejects if the change must not take effect. */
  save: (write: () => Promise<void>, _change: ChangeName): Promise<void> => write(),
  writeFile: (file: RulesFile, bytes: Uint8Array): Promise<void> => file.write(bytes),
  /** Whether a graceful stop writes the file. It must not: the file may have been deleted on purpose. */
  savesOnStop: (): boolean => false,
}

const groupedHooks = { ...savingHooks, encodeFile: encodeRules, serialise }

/**
 * Whether changes may be saved in groups, by appending them to the file. Not with an override of one of these hooks,
 * which decides about each change, or writes another file.
 */
export function savesInGroups(hooks: Readonly<typeof groupedHooks>): boolean {
  return (['save', 'writeFile', 'encodeFile', 'serialise'] as const).every((name) => hooks[name] === groupedHooks[name])
}
