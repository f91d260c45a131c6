import type { RulesFile } from './rules-file.ts'

/** A rules file that lives as long as the object: for tests and for embedding without a folder. It may begin with bytes. */
export function memoryRulesFile(bytes?: Uint8Array): RulesFile {
  let kept = bytes
  return {
    read: async () => kept && Uint8Array.from(kept),
    write: async (bytes) => {
      kept = Uint8Array.from(bytes)
    },
    remove: async () => {
      kept = undefined
    },
    exists: async () => kept !== undefined,
  }
}
