/** Accepts both forms of a target: `/path?query` and, as RFC 9112 requires of servers, `http://host/path?query`. */
export function splitTarget(target: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(target) ?? []
  return { path, query }
}

/** Undefined for a segment with an encoded slash, which would otherwise become two segments. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('/') ? undefined : decoded
  } catch {
    return undefined
  }
}
