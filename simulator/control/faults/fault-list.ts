import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { checkFault } from './check-fault.ts'
import type { EffectKind, Fault, ListedFault } from './fault.ts'
import { matcher, type Seen } from './matching.ts'

/** The faults that a simulator is to play, in order: the first that matches and is due wins. */
export interface FaultList {
  /** Puts a fault at the end and returns it as listed. @throws FaultExistsError, InvalidFaultError */
  readonly add: (fault: Fault) => ListedFault
  /** Takes the place of all faults. @throws FaultExistsError, InvalidFaultError */
  readonly replace: (faults: readonly Fault[]) => readonly ListedFault[]
  /** Whether there was such a fault. */
  readonly remove: (id: string) => boolean
  readonly clear: () => void
  readonly list: () => readonly ListedFault[]
  readonly isEmpty: () => boolean
  /** Whether any fault asks for the body. */
  readonly asksForBody: () => boolean
  /** The fault that is to be played on this request at this moment of it, or undefined. Counts. */
  readonly next: (seen: Seen, moment: Moment) => ListedFault | undefined
}

/** When a fault is played: as the request comes, or as it begins to write the rules file. */
export type Moment = 'request' | 'write'

/** Two faults cannot have one id. */
export class FaultExistsError extends Error {
  override readonly name = 'FaultExistsError'
  readonly hint = 'Remove the other one first, or leave the id out.'
}

interface Standing {
  readonly fault: Fault & { readonly id: string }
  /** Whether it is the turn of this fault, after it was counted. */
  readonly isDue: (seen: Seen) => boolean
  matched: number
  played: number
}

const playedAtWrite: readonly EffectKind[] = ['disk-full', 'permission-denied', 'torn-write', 'crash']

/** Chance is drawn in so many parts. */
const parts = 2 ** 30

/** `onChange` runs after faults were added or removed. */
export function faultList(onChange: () => void): FaultList {
  let standing: Standing[] = []
  let count = 0

  const nextId = (): string => {
    const id = `fault-${++count}`
    return standing.some((other) => other.fault.id === id) ? nextId() : id
  }
  const put = (fault: Fault): ListedFault => {
    checkFault(fault)
    const id = fault.id ?? nextId()
    if (standing.some((other) => other.fault.id === id)) throw new FaultExistsError(`There is a fault ${id} already.`)
    const entry = stand({ ...fault, id })
    standing.push(entry)
    return listed(entry)
  }
  return {
    add: (fault) => {
      const entry = put(fault)
      onChange()
      return entry
    },
    replace: (faults) => {
      const before = standing
      standing = []
      try {
        const entries = faults.map(put)
        onChange()
        return entries
      } catch (error) {
        standing = before
        throw error
      }
    },
    remove: (id) => {
      const rest = standing.filter(({ fault }) => fault.id !== id)
      const found = rest.length < standing.length
      standing = rest
      onChange()
      return found
    },
    clear: () => {
      standing = []
      count = 0
      onChange()
    },
    list: () => standing.map(listed),
    isEmpty: () => standing.length === 0,
    asksForBody: () => standing.some(({ fault }) => fault.when?.body !== undefined),
    next: (seen, moment) => {
      const found = standing.find((entry) => momentOf(entry.fault) === moment && entry.isDue(seen))
      return found && listed(found)
    },
  }
}

function stand(fault: Standing['fault']): Standing {
  const { when = {}, skip = 0, times = Number.POSITIVE_INFINITY, probability = 1, seed = 1 } = fault
  const matches = matcher(when)
  const random = xorshift128plus(seed)
  const entry: Standing = {
    fault,
    matched: 0,
    played: 0,
    isDue: (seen) => {
      if (!matches(seen)) return false
      entry.matched++
      if (entry.matched <= skip || entry.played >= times) return false
      if (probability < 1 && uniformInt(random, 0, parts - 1) >= probability * parts) return false
      entry.played++
      return true
    },
  }
  return entry
}

function momentOf({ effect }: Fault): Moment {
  return playedAtWrite.includes(effect.kind) ? 'write' : 'request'
}

function listed({ fault, matched, played }: Standing): ListedFault {
  return { ...fault, matched, played }
}
