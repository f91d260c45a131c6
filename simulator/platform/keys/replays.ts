/** The used signatures, stored as long as their timestamps are accepted. */
export interface ReplayCache {
  /** Records the use. Returns false if the signature was used before. */
  readonly firstUse: (signature: string, nowMs: number) => boolean
  readonly clear: () => void
}

export function createReplayCache(retentionMs: number): ReplayCache {
  const usedAtMs = new Map<string, number>()
  return {
    firstUse: (signature, nowMs) => {
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
