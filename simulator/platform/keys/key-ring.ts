import { check, checkOptions, type OptionKinds } from '../../server/check-option.ts'
import type { ResolvedPlatformOptions } from '../options.ts'
import type { Records } from '../store/records.ts'
import { type KeyPair, type KeyRecord, type ListedKey, listed, randomPair } from './key-pair.ts'

/** The options of a new key. */
export interface NewKey {
  /** A display name. Default: empty. */
  readonly name?: string
  /** Default: never. */
  readonly expiresAt?: Date
  /** A key that begins with bk_live_ instead of bk_test_. Default: false. */
  readonly live?: boolean
}

const newKeyKinds: OptionKinds<NewKey> = { name: 'string', expiresAt: 'date', live: 'boolean' }

/** A new key pair. The secret is only shown here. */
export interface CreatedKey extends KeyPair {
  readonly id: string
}

/** There is no key with this id. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
  readonly hint = 'List the keys to see their ids.'

  constructor(id: string) {
    super(`There is no key ${id}.`)
  }
}

/** The key pairs, as the client dashboard manages them (clause 5: Settings, API Keys). */
export interface KeyRing {
  /** Resolves when the key is saved. @throws UnknownOptionError, InvalidOptionError */
  readonly create: (wanted?: NewKey) => Promise<CreatedKey>
  /** @throws UnknownKeyError */
  readonly revoke: (id: string) => Promise<void>
  /** Sets when the key expires; by default, now. @throws UnknownKeyError, InvalidOptionError */
  readonly expire: (id: string, at?: Date) => Promise<void>
  /** All keys, including revoked ones, without secrets. */
  readonly list: () => Promise<readonly ListedKey[]>
  /** The loaded keys: none while the simulator is stopped. */
  readonly present: () => readonly ListedKey[]
}

interface RecordStore {
  readonly load: () => Promise<Records>
  readonly current: () => Records | undefined
  readonly change: (change: (records: Records) => Records) => Promise<void>
}

type KeyOptions = Pick<ResolvedPlatformOptions, 'hooks' | 'now'>

export function keyRing(store: RecordStore, options: KeyOptions & Pick<ResolvedPlatformOptions, 'log'>): KeyRing {
  const timeNow = () => new Date(options.now())
  const change = async (wanted: (records: Records) => Records) => {
    await store.change(wanted)
    options.log({ level: 'info', event: 'keys-changed', keys: store.current()?.keys.length })
  }
  const changeOne = (id: string, changes: Partial<KeyRecord>) =>
    change((records) => {
      if (!records.keys.some((key) => key.id === id)) throw new UnknownKeyError(id)
      return { ...records, keys: records.keys.map((key) => (key.id === id ? { ...key, ...changes } : key)) }
    })
  return {
    create: async (wanted = {}) => {
      checkOptions(wanted, newKeyKinds)
      const pair = randomPair(wanted.live ?? false)
      let id = ''
      await change((records) => {
        const added = withPair(records, { pair, wanted, ...options })
        id = added.keys.at(-1)?.id ?? ''
        return added
      })
      return { id, ...pair }
    },
    revoke: (id) => changeOne(id, { revokedAt: timeNow().toISOString() }),
    expire: async (id, at = timeNow()) => changeOne(id, { expiresAt: check('at', at, 'date').toISOString() }),
    list: async () => (await store.load()).keys.map(listed),
    present: () => store.current()?.keys.map(listed) ?? [],
  }
}

interface NewPair extends KeyOptions {
  readonly pair: KeyPair
  readonly wanted: NewKey
}

/** The records with one more key. Keys are never removed, so the next number gives a unique id. */
export function withPair(records: Records, { pair, wanted, hooks, now }: NewPair): Records {
  const key: KeyRecord = {
    id: `key_${records.keys.length + 1}`,
    name: wanted.name ?? '',
    apiKey: pair.apiKey,
    secretHash: hooks.hashSecret(pair.apiSecret),
    createdAt: new Date(now()).toISOString(),
    expiresAt: wanted.expiresAt?.toISOString() ?? null,
    revokedAt: null,
  }
  return { ...records, keys: [...records.keys, key] }
}
