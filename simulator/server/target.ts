/** How a trailing slash is handled: the path to look up, or the path to redirect to. */
export type EndingSlash = { readonly lookUp: string } | { readonly redirectTo: string }

/** `answer` is that of the profile: `unknown`, `ignored` or `redirected`. */
export function endingSlash(path: string, answer: string): EndingSlash {
  if (answer === 'unknown' || !path.endsWith('/')) return { lookUp: path }
  const without = path.slice(0, -1)
  return answer === 'ignored' ? { lookUp: without } : { redirectTo: without }
}

export const mergeSlashes = (path: string) => path.replace(/\/+/g, '/')

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
