import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'lossless-json'
import picomatch from 'picomatch'
import { exactNumber } from '../../server/json.ts'
import type { When } from './fault.ts'

/** A request as faults look at it. */
export interface Seen {
  readonly method: string
  readonly path: string
  /** The members of the JSON body; null where it is not asked for, or is no JSON object. */
  readonly members: Readonly<Record<string, unknown>> | null
}

/** Whether a request is one that `when` describes. */
export function matcher({ method, path, pathPattern = '', body }: When): (seen: Seen) => boolean {
  const isPath = path === undefined ? () => true : picomatch(path, { dot: true })
  const pattern = new RegExp(pathPattern)
  const wanted = Object.entries(body ?? {}).map(([name, value]) => [name, asSent(value)] as const)
  return (seen) =>
    (method === undefined || method.toUpperCase() === seen.method) &&
    isPath(seen.path) &&
    pattern.test(seen.path) &&
    wanted.every(([name, value]) => seen.members !== null && isDeepStrictEqual(seen.members[name], value))
}

/** The members of a body that is a JSON object, or null. */
export function membersOf(body: Uint8Array): Seen['members'] {
  try {
    const value = readExact(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A value of a program as it comes out of JSON: 5 and 5n are one login. */
function asSent(value: unknown): unknown {
  const text = stringify(value)
  return text === undefined ? undefined : readExact(text)
}

/** Of a member that is named twice the last counts, as in `JSON.parse`. */
function readExact(text: string): unknown {
  return parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
}
