import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'lossless-json'
import picomatch from 'picomatch'
import { exactNumber } from '../../server/json.ts'
import type { When } from './fault.ts'

/** The parts of a request that a fault can match. */
export interface MatchedRequest {
  readonly method: string
  readonly path: string
  /** The members of the JSON body; null if it was not read or is not a JSON object. */
  readonly members: Readonly<Record<string, unknown>> | null
}

/** Whether a request matches `when`. */
export function matcher({ method, path, pathPattern, body }: When): (request: MatchedRequest) => boolean {
  const isPath = path === undefined ? () => true : pathMatcher(path)
  const pattern = pathPattern === undefined ? undefined : new RegExp(pathPattern)
  const expected = Object.entries(body ?? {}).map(([name, value]) => [name, asParsedJson(value)] as const)
  return (request) =>
    (method === undefined || method.toUpperCase() === request.method) &&
    isPath(request.path) &&
    (pattern === undefined || pattern.test(request.path)) &&
    expected.every(([name, value]) => request.members !== null && isDeepStrictEqual(request.members[name], value))
}

/** Most faults name one path, for which no pattern is needed. */
function pathMatcher(path: string): (path: string) => boolean {
  return /^[\w/-]*$/.test(path) ? (other) => other === path : picomatch(path, { dot: true })
}

/** The members of the body; null if it is not a JSON object. */
export function membersOf(body: Uint8Array): MatchedRequest['members'] {
  try {
    const value = readExact(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A value as it is parsed from JSON: 5 and 5n are the same login. */
function asParsedJson(value: unknown): unknown {
  const text = stringify(value)
  return text === undefined ? undefined : readExact(text)
}

/** The last of duplicate members is used, as in `JSON.parse`. */
function readExact(text: string): unknown {
  return parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
}
