import type { StoredFile } from './stored-file.ts'

/** A file in memory, with `bytes` as its first content. */
export function memoryFile(bytes?: Uint8Array): StoredFile {
  let stored = bytes
  return {
    read: async () => stored && Uint8Array.from(stored),
    write: async (bytes, at) => {
      for (const step of ['before-write', 'mid-write', 'before-rename'] as const) await at?.(step)
      stored = Uint8Array.from(bytes)
      await at?.('after-rename')
    },
    remove: async () => {
      stored = undefined
    },
    exists: async () => stored !== undefined,
  }
}
