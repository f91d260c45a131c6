import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredFile } from '../../storage/stored-file.ts'
import { type Direction, directions, type Mode, modes, type Rule } from '../model/rule.ts'
import { applyChange, type ListChange, type RuleList } from '../model/rule-list.ts'

export class UnreadableRulesFileError extends Error {
  override readonly name = 'UnreadableRulesFileError'
  readonly hint = 'Delete the file and restart to load the Copy_N parameters (clause 4.3 rule 3).'
}

const header = 'ServiceCopyTrade rules, format 2'
const rulePattern = /^(-?\d+) (-?\d+) (\w+) (\S+) (\w+)$/
const changePattern = /^(([+-]) (\d+)(?: (.+))?) ([\da-f]{8})$/

/**
 * The text of a rules file: a header with the version of the format, the number of rules, one line `master follower
 * mode value direction` for each, and a checksum over all lines before it. Changes to the list may follow, one line for
 * each (`logChange`).
 */
export function encodeRules(rules: RuleList): Uint8Array {
  const text = `${[header, `rules ${rules.length}`, ...rules.map(lineOf)].join('\n')}\n`
  return Buffer.from(`${text}sha256 ${hash('sha256', text, 'hex')}\n`)
}

/** Changes that follow the list in its file. */
export interface ChangeLog {
  /** Of everything before the next change, whose checksum continues it. */
  readonly checksum: number
  readonly lines: string
}

/** Adds the line `+ position rule checksum` or `- position checksum`. */
export function logChange({ checksum, lines }: ChangeLog, { position, added }: ListChange): ChangeLog {
  const change = added === undefined ? `- ${position}` : `+ ${position} ${lineOf(added)}`
  const next = crc32(change, checksum)
  return { checksum: next, lines: `${lines}${change} ${hexOf(next)}\n` }
}

/**
 * The rules in the bytes of a file. An incomplete last line is ignored: a process that was killed had not acknowledged
 * its change.
 * @throws UnreadableRulesFileError if a single byte differs from what was written
 */
export function decodeRules(bytes: Uint8Array): RuleList {
  const text = Buffer.from(bytes).toString('latin1')
  if (!text.startsWith(`${header}\n`)) {
    throw new UnreadableRulesFileError('The rules file does not start with the known header.')
  }
  const count = Number(/^rules (\d{1,9})$/.exec(text.split('\n', 2)[1] ?? '')?.[1] ?? 0)
  const rules = text
    .split('\n', count + 2)
    .slice(2)
    .map(decodeRule)
  const list = encodeRules(rules)
  const lines = text.slice(list.length).split('\n')
  // The bytes are valid only if encoding the rules gives them again; this covers count, checksum and ending.
  if (!Buffer.from(list).equals(bytes.subarray(0, list.length))) {
    throw new UnreadableRulesFileError('The rules file is damaged: its count or its checksum does not match its rules.')
  }
  return replay(rules, lines, crc32(list))
}

/** Applies the changes in the lines. The last line is empty or incomplete. */
function replay(rules: Rule[], lines: readonly string[], checksum: number): RuleList {
  let last = checksum
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const change = decodeChange(line, last)
    const isPossible = change !== undefined && change.position < rules.length + (change.added === undefined ? 0 : 1)
    if (!isPossible) throw new UnreadableRulesFileError(`Change ${index + 1} of the rules file cannot be read.`)
    applyChange(rules, change)
    last = change.checksum
  }
  // If a complete line ends with anything but a line break, the file is damaged.
  if (decodeChange(lines.at(-1)?.slice(0, -1) ?? '', last) === undefined) return rules
  throw new UnreadableRulesFileError('The last change of the rules file has no line break.')
}

/** Undefined if the checksum of the line is wrong. */
function decodeChange(line: string, before: number): (ListChange & { readonly checksum: number }) | undefined {
  const [, change = '', kind, position, rule = '', sum] = changePattern.exec(line) ?? []
  const checksum = crc32(change, before)
  if (sum !== hexOf(checksum)) return undefined
  return { position: Number(position), added: kind === '+' ? decodeRule(rule, 0) : undefined, checksum }
}

function lineOf({ master, follower, mode, value, direction }: Rule): string {
  return `${master} ${follower} ${mode} ${value} ${direction}`
}

function decodeRule(line: string, index: number): Rule {
  const [, master, follower, mode, value, direction] = rulePattern.exec(line) ?? []
  const known = modes.includes(mode as Mode) && directions.includes(direction as Direction)
  if (!(master && follower && value && known)) {
    throw new UnreadableRulesFileError(`Rule ${index + 1} of the rules file cannot be read.`)
  }
  return {
    master: BigInt(master),
    follower: BigInt(follower),
    mode: mode as Mode,
    value: Number(value),
    direction: direction as Direction,
  }
}

function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}

/** A list, the changes that made it from another one, and that one. */
interface SavedChanges {
  readonly from: RuleList
  /** Undefined for a change of more than one rule. */
  readonly changes: readonly (ListChange | undefined)[]
  readonly to: RuleList
}

/** Up to this length the log is not worth replacing the file. */
const shortLogBytes = 256 * 1024

/** The current content of the file. */
type Saved = Awaited<ReturnType<typeof replace>>

export type SaveChanges = ReturnType<typeof rulesLog>

/**
 * Saves a list by appending its changes to the rules file. The file is replaced at the first change, after any other
 * write, and whenever its log is longer than its list.
 */
export function rulesLog(file: Pick<StoredFile, 'write' | 'appender'>) {
  let saved: Saved | undefined
  return async (changes: SavedChanges): Promise<void> => {
    const before = saved
    // After a failure the content of the file is unknown.
    saved = undefined
    // A file that cannot grow may still have room for the list alone.
    const grown = before && (await append(before, changes).catch(() => undefined))
    saved = grown ?? (await replace(file, changes.to))
  }
}

/** Undefined if the file has to be replaced. */
async function append(before: Saved, { from, changes, to }: SavedChanges): Promise<Saved | undefined> {
  if (before.list !== from) return undefined
  let log = { checksum: before.checksum, lines: '' }
  for (const change of changes) {
    if (change === undefined) return undefined
    log = logChange(log, change)
  }
  const logBytes = before.logBytes + log.lines.length
  if (logBytes > Math.max(before.listBytes, shortLogBytes)) return undefined
  if (!(await before.append?.(Buffer.from(log.lines, 'latin1')))) return undefined
  return { ...before, list: to, checksum: log.checksum, logBytes }
}

async function replace(file: Pick<StoredFile, 'write' | 'appender'>, list: RuleList) {
  const bytes = encodeRules(list)
  await file.write(bytes)
  // The length of the file when it was last replaced, and of the changes since.
  return { list, checksum: crc32(bytes), listBytes: bytes.length, logBytes: 0, append: file.appender?.() }
}
