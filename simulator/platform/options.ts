import { BlockList, isIPv6 } from 'node:net'
import { checkOptions, given, InvalidOptionError, type OptionKinds } from '../server/check-option.ts'
import { createClock } from '../server/clock.ts'
import { type Log, resolveLog } from '../server/log.ts'
import { overrideHooks } from '../server/override-hooks.ts'
import { diskFile } from '../storage/disk-file.ts'
import { memoryFile } from '../storage/memory-file.ts'
import type { StoredFile } from '../storage/stored-file.ts'
import { type PlatformHooks, type PlatformOverride, platformHooksFor } from './hooks/hooks.ts'
import { checkPair, type KeyPair } from './keys/key-pair.ts'
import type { PlatformAccount } from './model/platform-account.ts'
import { type PlatformProfile, resolvePlatformProfile } from './profile/profile.ts'
import { platformFileName } from './store/records.ts'

/** The options of a platform simulator. All are optional. */
export interface PlatformSimulatorOptions {
  /** The port to listen on. Default: 0, which picks a free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** Your own key pair, known from the first start. The secret must be longer than 64 bytes. */
  readonly keyPair?: KeyPair
  /** Folder of the file with keys and accounts. Default: no folder; they are stored in memory. */
  readonly dataDir?: string
  /** The file to use instead, e.g. one in memory that outlives the simulator. */
  readonly file?: StoredFile
  /** Answers to the questions that the specification leaves open. Default: the default of each question. */
  readonly profile?: Partial<PlatformProfile>
  /** Shorthand for the answer to `platform.signing.check`. */
  readonly signing?: PlatformProfile['platform.signing.check']
  /** How far the timestamp of a signed request may be from the clock. Default: 5 minutes. */
  readonly signatureWindowMs?: number
  /** The vendor in the headers X-<Vendor>-Timestamp and X-<Vendor>-Signature. Default: `Platform`. */
  readonly vendor?: string
  /** The addresses and networks that are allowed, e.g. `10.0.0.0/8`. Default: all. */
  readonly allowedIps?: readonly string[]
  /** More requests in one minute get 429. Default: 100,000. */
  readonly requestsPerMinute?: number
  /** The groups that accounts can be opened in. Default: `demo`, `demo-usd`, `demo-eur`. */
  readonly groups?: readonly string[]
  /** What GET /v1/account reports. Default: an example brokerage. */
  readonly account?: Partial<PlatformAccount>
  /** Replaces single hooks, e.g. to be wrong on purpose. */
  readonly override?: PlatformOverride
  /** The time source, in milliseconds since 1970. Default: the system time. */
  readonly now?: () => number
  /** How long a request may take to arrive as a whole. Default: 30 s. */
  readonly requestTimeoutMs?: number
  /** Receives log entries: a function, or a logger such as pino. Never receives a key or a secret. */
  readonly log?: Log
}

/** The hashes in the file are sufficient to sign requests. */
const ownerOnly = 0o600

const exampleAccount: PlatformAccount = {
  id: 'acct_1048576',
  name: 'Example Brokerage',
  createdAt: new Date('2025-03-04T09:30:15.250Z'),
}

const optionKinds: OptionKinds<PlatformSimulatorOptions> = {
  port: 'port',
  host: 'host',
  keyPair: 'strings',
  dataDir: 'string',
  file: 'file',
  profile: 'object',
  signing: 'string',
  signatureWindowMs: 'count',
  vendor: 'string',
  allowedIps: 'list',
  requestsPerMinute: 'count',
  groups: 'list',
  account: 'object',
  override: 'function',
  now: 'function',
  requestTimeoutMs: 'count',
  log: 'log',
}

const accountKinds: OptionKinds<PlatformAccount> = { id: 'string', name: 'string', createdAt: 'date' }

/** The options with all defaults. */
export type ResolvedPlatformOptions = ReturnType<typeof resolvePlatformOptions>

/** @throws InvalidOptionError, UnknownOptionError, UnknownQuestionError, UnknownAnswerError */
export function resolvePlatformOptions(options: PlatformSimulatorOptions) {
  checkOptions(options, optionKinds)
  checkOptions(options.account ?? {}, accountKinds, 'account')
  const { port = 0, host = '127.0.0.1', keyPair, allowedIps, dataDir, override } = options
  const profile = resolvePlatformProfile({
    ...options.profile,
    ...(options.signing !== undefined && { 'platform.signing.check': options.signing }),
  })
  const { groups = ['demo', 'demo-usd', 'demo-eur'], vendor = 'Platform' } = options
  const account = { ...exampleAccount, ...given(options.account ?? {}) }
  if (!/^[A-Za-z0-9-]+$/.test(vendor)) throw new InvalidOptionError('vendor', 'a word of letters, digits and hyphens')
  if (!/^acct_\d+$/.test(account.id)) throw new InvalidOptionError('account.id', 'acct_ and digits')
  const clock = createClock(options.now)
  const hooks: PlatformHooks = platformHooksFor(profile, { groups, vendor })
  return {
    port,
    host,
    keyPair: keyPair && checkPair(keyPair),
    file:
      options.file ?? (dataDir === undefined ? memoryFile() : diskFile(dataDir, platformFileName, { mode: ownerOnly })),
    hooks: overrideHooks(hooks, override),
    signatureWindowMs: options.signatureWindowMs ?? 300_000,
    /** Undefined allows all addresses. */
    allowedIps: allowedIps && networks(allowedIps),
    requestsPerMinute: options.requestsPerMinute ?? 100_000,
    account,
    clock,
    now: clock.now,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    log: resolveLog(options.log),
  }
}

function networks(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of addresses) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d+))?$/.exec(text) ?? []
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    try {
      if (bits === undefined) list.addAddress(address, family)
      else list.addSubnet(address, Number(bits), family)
    } catch {
      throw new InvalidOptionError('allowedIps', 'addresses like 127.0.0.1 or networks like 10.0.0.0/8')
    }
  }
  return list
}
