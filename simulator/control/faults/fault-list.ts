import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'lossless-json'
import picomatch from 'picomatch'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { exactNumber } from '../../server/json.ts'
import { checkFault, type EffectKind, type Fault, type ListedFault, type When } from './fault.ts'

/** The faults of a simulator, in order: the first that matches and is due is played. */
export interface FaultList {
  /** Appends a fault and returns it as listed. @throws FaultExistsError, InvalidFaultError */
  readonly add: (fault: Fault) => ListedFault
  /** Replaces all faults. @throws FaultExistsError, InvalidFaultError */
  readonly replace: (faults: readonly Fault[]) => readonly ListedFault[]
  /** Whether a fault with this id existed. */
  readonly remove: (id: string) => boolean
  readonly clear: () => void
  readonly list: () => readonly ListedFault[]
  readonly isEmpty: () => boolean
  /** Whether any fault applies to writing the rules file. */
  readonly hasWriteFault: () => boolean
  /** Whether any fault has to match the body of a request. */
  readonly asksForBody: () => boolean
  /** The fault to play on this request now, if any. Counts the match. */
  readonly next: (request: MatchedRequest, moment: FaultMoment) => ListedFault | undefined
}

/** When a fault is played: when the request arrives, or when it starts to write the rules file. */
export type FaultMoment = 'request' | 'write'

/** A fault with this id exists. */
export class FaultExistsError extends Error {
  override readonly name = 'FaultExistsError'
  readonly hint = 'Remove the other fault first, or omit the id.'
}

interface FaultEntry {
  readonly fault: Fault & { readonly id: string }
  readonly moment: FaultMoment
  /** Counts a match, and returns whether the fault is due. */
  readonly isDue: (request: MatchedRequest) => boolean
  matched: number
  played: number
}

const writeEffects: readonly EffectKind[] = ['disk-full', 'permission-denied', 'torn-write', 'crash']

const probabilitySteps = 2 ** 30

/** `onChange` runs after faults were added or removed. */
export function faultList(onChange: () => void): FaultList {
  let entries: readonly FaultEntry[] = []
  let count = 0
  const setEntries = (next: readonly FaultEntry[]) => {
    entries = next
    onChange()
  }
  const nextId = (before: readonly FaultEntry[]): string => {
    const id = `fault-${++count}`
    return before.some((other) => other.fault.id === id) ? nextId(before) : id
  }
  const append = (fault: Fault, before: readonly FaultEntry[]): readonly FaultEntry[] => {
    checkFault(fault)
    const id = fault.id ?? nextId(before)
    if (before.some((other) => other.fault.id === id))
      throw new FaultExistsError(`A fault with the id ${id} already exists.`)
    return [...before, createEntry({ ...fault, id })]
  }
  return {
    add: (fault) => {
      const next = append(fault, entries)
      setEntries(next)
      return listed(next.at(-1) as FaultEntry)
    },
    replace: (faults) => {
      setEntries(faults.reduce<readonly FaultEntry[]>((before, fault) => append(fault, before), []))
      return entries.map(listed)
    },
    remove: (id) => {
      const rest = entries.filter(({ fault }) => fault.id !== id)
      const found = rest.length < entries.length
      setEntries(rest)
      return found
    },
    clear: () => {
      count = 0
      setEntries([])
    },
    list: () => entries.map(listed),
    isEmpty: () => entries.length === 0,
    hasWriteFault: () => entries.some(({ moment }) => moment === 'write'),
    asksForBody: () => entries.some(({ fault }) => fault.when?.body !== undefined),
    next: (request, moment) => {
      const found = entries.find((entry) => entry.moment === moment && entry.isDue(request))
      return found && listed(found)
    },
  }
}

function createEntry(fault: FaultEntry['fault']): FaultEntry {
  const { when = {}, skip = 0, times = Number.POSITIVE_INFINITY, probability = 1, seed = 1 } = fault
  const matches = matcher(when)
  const random = xorshift128plus(seed)
  const entry: FaultEntry = {
    fault,
    moment: writeEffects.includes(fault.effect.kind) ? 'write' : 'request',
    matched: 0,
    played: 0,
    isDue: (request) => {
      if (!matches(request)) return false
      entry.matched++
      if (entry.matched <= skip || entry.played >= times) return false
      if (probability < 1 && uniformInt(random, 0, probabilitySteps - 1) >= probability * probabilitySteps) return false
      entry.played++
      return true
    },
  }
  return entry
}

function listed({ fault, matched, played }: FaultEntry): ListedFault {
  return { ...fault, matched, played }
}

export interface MatchedRequest {
  readonly method: string
  readonly path: string
  /** The members of the JSON body; null if it was not read or is not a JSON object. */
  readonly members: Readonly<Record<string, unknown>> | null
}

function matcher({ method, path, pathPattern, body }: When): (request: MatchedRequest) => boolean {
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
