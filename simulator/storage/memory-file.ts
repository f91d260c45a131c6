import type { KeptFile } from './stored-file.ts'

/** A file that lives as long as the object. It may begin with bytes. */
export function memoryFile(bytes?: Uint8Array): KeptFile {
  let kept = bytes
  return {
    read: async () => kept && Uint8Array.from(kept),
    write: async (bytes, at) => {
      for (const step of ['before-write', 'mid-write', 'before-rename'] as const) await at?.(step)
      kept = Uint8Array.from(bytes)
      await at?.('after-rename')
    },
    remove: async () => {
      kept = undefined
    },
    exists: async () => kept !== undefined,
  }
}
