import { hash } from 'node:crypto'
import { type Direction, directions, type Mode, modes, type Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'

/** The rules file is damaged. */
export class UnreadableRulesFileError extends Error {
  override readonly name = 'UnreadableRulesFileError'
  readonly hint = 'Delete the file and restart to load the Copy_N parameters (clause 4.3 rule 3).'
}

const header = 'ServiceCopyTrade rules, format 1'
const rulePattern = /^(-?\d+) (-?\d+) (\w+) (\S+) (\w+)$/

/**
 * The text of a rules file: a header with the version of the format, the number of rules, one line
 * `master follower mode value direction` for each, and a checksum over all lines before it.
 */
export function encodeRules(rules: RuleList): Uint8Array {
  const lines = rules.map(
    ({ master, follower, mode, value, direction }) => `${master} ${follower} ${mode} ${value} ${direction}`,
  )
  const text = `${[header, `rules ${rules.length}`, ...lines].join('\n')}\n`
  return Buffer.from(`${text}sha256 ${checksum(text)}\n`)
}

/** @throws UnreadableRulesFileError if a single byte differs from what `encodeRules` writes. */
export function decodeRules(bytes: Uint8Array): RuleList {
  const text = Buffer.from(bytes).toString('utf8')
  const lines = text.split('\n')
  if (lines[0] !== header) throw new UnreadableRulesFileError('The rules file does not start with the known header.')
  const rules = lines.slice(2, -2).map(decodeRule)
  // The bytes are valid only if encoding the rules gives them again; this covers count, checksum and ending.
  if (!Buffer.from(encodeRules(rules)).equals(bytes)) {
    throw new UnreadableRulesFileError('The rules file is damaged: its count or its checksum does not match its rules.')
  }
  return rules
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

function checksum(text: string): string {
  return hash('sha256', text, 'hex')
}
