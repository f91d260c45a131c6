import { readFileSync } from 'node:fs'
import { UsageError } from '../command-error.ts'
import { type Baseline, baselineSchema, type KnownFailure } from './baseline.ts'
import { items, type Located, members, parseLocated, textOf } from './located.ts'

/** Whether every entry must have its reason. A file that is still being filled in may lack some. */
export type Reasons = 'demanded' | 'open'

const fileKeys = ['schema', 'knownFailures'] as const
const entryKeys = ['check', 'reason', 'signature', 'owner', 'expires'] as const

/**
 * Reads a file of known failures, YAML or JSON.
 *
 * @throws {UsageError} when it cannot be read or is not as it should be, with the line and the key
 */
export function readBaseline(path: string, reasons: Reasons = 'demanded'): Baseline {
  try {
    return parseBaseline({ text: readFileSync(path, 'utf8'), path, reasons })
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    const hint = 'Write one with copytrade-tck baseline <report.json>.'
    throw new UsageError(`The baseline cannot be read: ${reason}.`, hint, { cause })
  }
}

/** The text of a baseline, and the path that messages name. */
export interface BaselineText {
  readonly text: string
  readonly path: string
  readonly reasons: Reasons
}

/** @throws {UsageError} when the text is not as it should be, with the line and the key */
export function parseBaseline({ text, path, reasons }: BaselineText): Baseline {
  const file = parseLocated(text, path)
  const { schema, knownFailures } = members(file, fileKeys)
  const format = demand(schema, file, 'schema')
  if (textOf(format) !== baselineSchema) {
    throw format.refuse(`is "${textOf(format)}"`, `This kit reads "${baselineSchema}".`)
  }
  const entries = items(demand(knownFailures, file, 'knownFailures'))
  const seen = new Set<string>()
  return { schema: baselineSchema, knownFailures: entries.map((entry) => knownFailure(entry, reasons, seen)) }
}

function knownFailure(entry: Located, reasons: Reasons, seen: Set<string>): KnownFailure {
  const { check, reason, signature, owner, expires } = members(entry, entryKeys)
  const named = demand(check, entry, 'check')
  const id = filled(named)
  if (seen.has(id)) throw named.refuse(`is ${id}, which has an entry already`, 'Keep one of the two.')
  seen.add(id)
  const why = demand(reason, entry, 'reason')
  return {
    check: id,
    reason: reasons === 'demanded' ? filled(why) : textOf(why),
    signature: filled(demand(signature, entry, 'signature')),
    owner: owner === undefined ? null : filled(owner),
    expires: expires === undefined ? null : date(expires),
  }
}

function demand(member: Located | undefined, within: Located, name: string): Located {
  if (member !== undefined) return member
  const hint =
    name === 'reason' ? 'Say why this failure is accepted.' : 'copytrade-tck baseline <report.json> writes it.'
  throw within.refuse(`has no ${name}`, hint)
}

function filled(member: Located): string {
  const text = textOf(member)
  if (text !== '') return text
  const hint = member.name.endsWith('.reason')
    ? 'Say why this failure is accepted.'
    : 'Fill it in or leave the key out.'
  throw member.refuse('is empty', hint)
}

/** A day of the calendar: 2026-02-30 is none. */
function date(member: Located): string {
  const text = textOf(member)
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  if (day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text
  throw member.refuse(`is "${text}", which is no date`, 'Give a day like 2026-12-31.')
}
