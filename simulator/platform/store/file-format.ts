import { createHash } from 'node:crypto'
import { noRecords, type Records } from './records.ts'

/** The name of the file with keys and accounts inside its folder. */
export const platformFileName = 'platform.json'

/** The bytes of the platform's file are not those that were written. */
export class UnreadablePlatformFileError extends Error {
  override readonly name = 'UnreadablePlatformFileError'
  readonly hint = `Restore ${platformFileName} from a copy, or delete it: then there are no accounts and no keys.`
}

const format = 'platform 1'

/** The file is one JSON object: format, keys, accounts and a checksum over them. */
export function encodeRecords({ keys, accounts }: Records): Uint8Array {
  const content = { format, keys, accounts }
  return Buffer.from(`${JSON.stringify({ ...content, sha256: checksum(content) }, null, 1)}\n`)
}

/**
 * No bytes are no records.
 *
 * @throws UnreadablePlatformFileError if a single byte differs from what `encodeRecords` writes.
 */
export function decodeRecords(bytes: Uint8Array | undefined): Records {
  if (bytes === undefined) return noRecords
  const records = parse(bytes)
  // Only the text that encodes these very records is whole.
  if (records !== undefined && Buffer.from(encodeRecords(records)).equals(bytes)) return records
  throw new UnreadablePlatformFileError(`${platformFileName} is damaged, or no file of the platform.`)
}

function parse(bytes: Uint8Array): Records | undefined {
  try {
    const { keys, accounts } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Records
    return Array.isArray(keys) && Array.isArray(accounts) ? { keys, accounts } : undefined
  } catch {
    return undefined
  }
}

function checksum(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
