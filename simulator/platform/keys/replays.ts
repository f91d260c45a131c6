export type ReplayCache = ReturnType<typeof createReplayCache>

/** No timestamp is accepted after this time. */
const retentionMs = 24 * 60 * 60 * 1000

/** The used signatures, stored as long as their timestamps are accepted. */
export function createReplayCache() {
  const usedAtMs = new Map<string, number>()
  return {
    /** Records the use. Returns false if the signature was used before. */
    firstUse: (signature: string, nowMs: number): boolean => {
      for (const [old, at] of usedAtMs) {
        // The first entries are the oldest.
        if (nowMs - at <= retentionMs) break
        usedAtMs.delete(old)
      }
      if (usedAtMs.has(signature)) return false
      usedAtMs.set(signature, nowMs)
      return true
    },
    clear: () => usedAtMs.clear(),
  }
}
