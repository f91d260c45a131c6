import { hash } from 'node:crypto'
import { Mutex } from 'async-mutex'
import type { StoredFile } from '../../storage/stored-file.ts'
import type { KeyRecord } from '../keys/key-pair.ts'
import type { TradingAccount } from '../model/trading-account.ts'

/** The stored data of the platform. Immutable. */
export interface Records {
  readonly keys: readonly KeyRecord[]
  readonly accounts: readonly TradingAccount[]
}

export const noRecords: Records = { keys: [], accounts: [] }

export type LiveRecords = ReturnType<typeof liveRecords>

/**
 * The records that clients see, and the mutex that serialises changes to them. `changed` is called after each
 * publication.
 */
export function liveRecords(initial: Records, changed: () => void) {
  let records = initial
  return {
    current: () => records,
    /** Makes these records visible to clients. */
    publish: (next: Records) => {
      records = next
      changed()
    },
    mutex: new Mutex(),
  }
}

/** The name of the file with keys and accounts inside its folder. */
export const platformFileName = 'platform.json'

/** The file of the platform is damaged. */
export class UnreadablePlatformFileError extends Error {
  override readonly name = 'UnreadablePlatformFileError'
  readonly hint = `Restore ${platformFileName} from a backup, or delete it to start without accounts and keys.`
}

const format = 'platform 1'

/** The file is one JSON object: format, keys, accounts and a checksum over them. */
export function encodeRecords({ keys, accounts }: Records): Uint8Array {
  const content = { format, keys, accounts }
  const sha256 = hash('sha256', JSON.stringify(content), 'hex')
  return Buffer.from(`${JSON.stringify({ ...content, sha256 }, null, 1)}\n`)
}

/** @throws UnreadablePlatformFileError if there is a file that cannot be read, or that differs in a single byte */
export async function readRecords(file: Pick<StoredFile, 'read'>): Promise<Records> {
  const bytes = await file.read().catch((cause: Error) => {
    throw new UnreadablePlatformFileError(`${platformFileName} cannot be read: ${cause.message}.`, { cause })
  })
  return decodeRecords(bytes)
}

/**
 * No file means no records.
 *
 * @throws UnreadablePlatformFileError if a single byte differs from what `encodeRecords` writes.
 */
function decodeRecords(bytes: Uint8Array | undefined): Records {
  if (bytes === undefined) return noRecords
  const records = parse(bytes)
  // The bytes are valid only if encoding the records gives them again.
  if (records !== undefined && Buffer.from(encodeRecords(records)).equals(bytes)) return records
  throw new UnreadablePlatformFileError(`${platformFileName} is damaged, or is not a file of the platform.`)
}

function parse(bytes: Uint8Array): Records | undefined {
  try {
    const { keys, accounts } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Records
    return Array.isArray(keys) && Array.isArray(accounts) ? { keys, accounts } : undefined
  } catch {
    return undefined
  }
}
