/** What becomes of a slash at the end of a path: the path to look up, or the path to redirect to. */
export type EndingSlash = { readonly lookUp: string } | { readonly redirectTo: string }

/** The ways to treat a slash at the end. */
export const endingSlash: Readonly<Record<'unknown' | 'ignored' | 'redirected', (path: string) => EndingSlash>> = {
  unknown: (path) => ({ lookUp: path }),
  ignored: (path) => ({ lookUp: path.replace(/\/$/, '') }),
  redirected: (path) => (path.endsWith('/') ? { redirectTo: path.replace(/\/$/, '') } : { lookUp: path }),
}

/** Makes one slash of several. */
export function mergeSlashes(path: string): string {
  return path.replace(/\/+/g, '/')
}

/** Both forms of a target are read: `/path?query` and, as RFC 9112 asks of servers, `http://host/path?query`. */
export function splitTarget(target: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(target) ?? []
  return { path, query }
}

/** A segment in which a slash is encoded fits no known path, as it would otherwise become two. */
export function decodeSegment(segment: string): string | undefined {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('/') ? undefined : decoded
  } catch {
    return undefined
  }
}
