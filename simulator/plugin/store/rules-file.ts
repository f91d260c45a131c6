import { diskFile } from '../../storage/disk-file.ts'
import { memoryFile } from '../../storage/memory-file.ts'
import type { StoredFile } from '../../storage/stored-file.ts'

/** The name of the rules file inside its folder (clause 4.3 rule 1). */
export const rulesFileName = 'ServiceCopyTrade_rules.dat'

/** Where the bytes of the rules file are kept. */
export type RulesFile = StoredFile

/** The rules file in the folder `directory`. */
export function diskRulesFile(directory: string): RulesFile {
  return diskFile(directory, rulesFileName)
}

/** A rules file that lives as long as the object: for tests and for embedding without a folder. It may begin with bytes. */
export function memoryRulesFile(bytes?: Uint8Array): RulesFile {
  return memoryFile(bytes)
}
