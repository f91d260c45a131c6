import { diskFile } from '../../storage/disk-file.ts'
import { memoryFile } from '../../storage/memory-file.ts'
import type { StoredFile } from '../../storage/stored-file.ts'

/** The name of the rules file inside its folder (clause 4.3 rule 1). */
export const rulesFileName = 'ServiceCopyTrade_rules.dat'

/** The storage of the rules file. */
export type RulesFile = StoredFile

/** The rules file in the folder `directory`. With `fsync` a change is on the disk before its response. */
export function diskRulesFile(directory: string, fsync = true): RulesFile {
  return diskFile(directory, rulesFileName, { fsync })
}

/** A rules file in memory, for tests and for use without a folder, with `bytes` as its first content. */
export function memoryRulesFile(bytes?: Uint8Array): RulesFile {
  return memoryFile(bytes)
}
