import type { StoredFile } from './stored-file.ts'

export function memoryFile(bytes?: Uint8Array): StoredFile {
  let parts = bytes && [bytes]
  return {
    read: async () => parts && Uint8Array.from(Buffer.concat(parts)),
    write: async (bytes, at) => {
      for (const step of ['before-write', 'mid-write', 'before-rename'] as const) await at?.(step)
      parts = [Uint8Array.from(bytes)]
      await at?.('after-rename')
    },
    appender: () => {
      const current = parts
      return async (bytes) => {
        if (parts === undefined || parts !== current) return false
        parts.push(Uint8Array.from(bytes))
        return true
      }
    },
    remove: async () => {
      parts = undefined
    },
    exists: async () => parts !== undefined,
  }
}
