import { createClient } from '../../client/client.ts'
import { observed } from '../../client/observed.ts'
import { createRawClient } from '../../client/raw.ts'
import { unpaced } from '../../client/wait.ts'
import { type AccountEntry, guardAccounts } from '../../safety/accounts.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createAccountDrafts } from '../../session/account.ts'
import { createPlatform } from '../../session/platform.ts'
import { createPlatformSession, type PlatformSession } from '../../session/platform-session.ts'
import { addressOf } from '../../session/raw-request.ts'
import { createTimes } from '../../session/signing.ts'
import type { PlatformTarget } from '../../targets/target.ts'
import { recordBrokenConnections } from '../broken-connections.ts'
import { noneBroken } from '../confirm.ts'
import { answersAgain, isAnswering, plainServer, requireServer, type ServerUnderTest } from '../server-under-test.ts'
import { type ApiSettings, createShared } from '../shared.ts'
import { note } from '../state.ts'
import { createGate } from '../traffic.ts'

/** How a platform is judged. Can be sent to a worker. */
export interface PlatformSettings extends ApiSettings {
  readonly target: PlatformTarget
}

/** A platform itself responds to this with an error. */
const unknownRead = { method: 'GET', path: '/v1/unknown' } as const

interface PlatformContext extends ServerUnderTest<PlatformSession> {
  readonly session: PlatformSession
}

/** A platform under test, reached through the guard unless it is disposable. It is not restarted after a crash. */
export function createPlatformContext(settings: PlatformSettings, shared = createShared([settings])): PlatformContext {
  const { target } = settings
  const { owned } = target
  const { session, closeIdle, breaks, sendOnly } = connect(settings, shared)
  let isRepeatable = false
  const context: PlatformContext = {
    ...plainServer,
    session,
    keyVariable: 'TCK_PLATFORM_KEY',
    owned,
    recorder: shared.recorder,
    redact: shared.redact,
    openCheck({ creates }) {
      // A server may serve only a few connections at a time.
      closeIdle(1)
      // To find out whether the network is at fault. Accounts that cannot be removed are not created for it.
      isRepeatable = !owned && (target.safety === null || creates === undefined)
      return { session: () => session, servers: [], close: async () => undefined }
    },
    takeBrokenConnections() {
      const taken = breaks.take()
      return isRepeatable ? taken : noneBroken
    },
    isAnswering: () =>
      isRepeatable ? answersAgain(() => session.account(), settings.timeoutMs) : isAnswering([() => session.account()]),
    hasDied() {
      if (owned) note(context, { stopped: { cause: 'unreachable', reason: 'the platform died' } })
      return owned
    },
    requireServer: () => requireServer(owned ? [] : [() => session.account(), () => session.send(unknownRead)]),
    mayLimitRate: !owned,
    sendOnly,
  }
  return context
}

function connect({ target, timeoutMs }: PlatformSettings, shared: ReturnType<typeof createShared>) {
  const { url, transport, key, secret, vendor, safety, group, accountTerms, label } = target
  const address = addressOf(url)
  const { prefix } = address
  const waits = shared.hangDetector.at({ url, key, timeoutMs })
  const pace = target.owned ? unpaced : shared.pace
  const http = { ...shared, pace, baseUrl: url, transport, timeoutMs, waits }
  const plain = createClient({ ...http, pace: unpaced })
  const ledger = safety?.ledgerFile ? openLedger<AccountEntry>(safety.ledgerFile, shared.redactSecrets) : null
  const breaks = recordBrokenConnections(null)
  const { observe, sendOnly } = createGate(shared.progress)
  const unguarded = observed(url, { client: plain, raw: createRawClient(http) }, [observe, breaks.observe])
  const { client, raw } =
    safety === null
      ? unguarded
      : guardAccounts({ ...unguarded, prefix, group, label, ledger, mostAccounts: safety.mostAccounts })
  const credentials = { key, secret, vendor, prefix, times: createTimes(target.readsSignedAt), pace }
  const platform = createPlatform(client, credentials)
  const session = createPlatformSession({
    platform,
    recorder: shared.recorder,
    listPaths: target.listPaths,
    raw,
    address,
    owned: target.owned,
    // Consent was asked for only if a planned check creates an account.
    mayTryAnything: target.capabilities.includes('disposable-platform') && target.risk !== 'read' && safety === null,
    draft: createAccountDrafts(label, group ?? '', accountTerms),
    answersAgain: () => answersAgain(() => platform.account(), timeoutMs),
    onRecall: breaks.skip,
    areTermsStated: target.owned || Object.keys(accountTerms).length === 2,
  })
  return { session, closeIdle: plain.closeIdle, breaks, sendOnly }
}
