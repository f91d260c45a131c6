import { createClient } from '../../client/client.ts'
import type { Pace } from '../../client/pace.ts'
import { createRawClient } from '../../client/raw.ts'
import type { Recorder } from '../../client/recorder.ts'
import { guardAccounts, guardRawReads } from '../../safety/account-guard.ts'
import type { AccountEntry } from '../../safety/account-ledger.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createAccountDrafts } from '../../session/account.ts'
import { createPlatform, type Platform } from '../../session/platform.ts'
import { createPlatformSession, type PlatformSession } from '../../session/platform-session.ts'
import { createTimes, signatureHeaders } from '../../session/signing.ts'
import type { PlatformTarget } from '../../targets/platform-target.ts'
import type { Stopped } from '../plugin/context.ts'

/** What the checks of one run share about a platform. */
export interface PlatformContext {
  readonly target: PlatformTarget
  /** The documented operations, outside of any check. */
  readonly operations: Platform
  readonly session: PlatformSession
  /** Why the platform can no longer be judged; null as long as it can. */
  stopped: Stopped | null
}

interface PlatformContextOptions {
  readonly target: PlatformTarget
  readonly timeoutMs: number
  readonly pace: Pace
  readonly recorder: Recorder
  readonly redact: (text: string) => string
}

/** A platform of somebody else is reached through the guard. */
export function createPlatformContext(options: PlatformContextOptions): PlatformContext {
  const { target, recorder, redact } = options
  const { url, key, secret, vendor, safety, group, label } = target
  const { host, pathname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  const http = { ...options, baseUrl: url, transport: target.transport }
  const plain = createClient(http)
  const ledger = safety?.ledgerFile ? openLedger<AccountEntry>(safety.ledgerFile, redact) : null
  const client =
    safety === null ? plain : guardAccounts({ client: plain, group, label, ledger, mostAccounts: safety.mostAccounts })
  const credentials = { key, secret, vendor, prefix, times: createTimes() }
  const operations = createPlatform(client, credentials)
  const session = createPlatformSession({
    platform: operations,
    recorder,
    listPaths: target.listPaths,
    raw: safety === null ? createRawClient(http) : guardRawReads(createRawClient(http)),
    address: { host, prefix },
    key,
    secret,
    group: group ?? '',
    owned: target.owned,
    mayTryAnything: target.owned && target.risk !== 'read',
    draft: createAccountDrafts(label, group ?? ''),
    headersOf({ method, path, body }) {
      const signed = { method, path, body: Buffer.from(body ?? ''), sign: body === null ? null : {} }
      const headers = { Authorization: `Bearer ${key}`, ...signatureHeaders(signed, credentials) }
      return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    },
  })
  return { target, operations, session, stopped: null }
}
