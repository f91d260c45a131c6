import { type Client, createClient, type PersistentClient } from '../../client/client.ts'
import { type Observer, observed } from '../../client/observed.ts'
import { createRawClient, piecesOf, type RawClient } from '../../client/raw.ts'
import { directTransport } from '../../client/transport.ts'
import { unpaced } from '../../client/wait.ts'
import type { Draft } from '../../model/rule.ts'
import { guardClient, guardRaw } from '../../safety/guard.ts'
import { createLastRead } from '../../safety/last-read.ts'
import { openLedger } from '../../safety/ledger.ts'
import { ServerFault } from '../../safety/list-change-errors.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import { createWatch, nothingKnown } from '../../safety/protected-list.ts'
import { createBudget } from '../../safety/write-guard.ts'
import { createPlugin } from '../../session/plugin.ts'
import { addressOf } from '../../session/raw-request.ts'
import { createRules } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import type { Driver } from '../../targets/driver.ts'
import type { Target } from '../../targets/target.ts'
import { startNote } from '../reproduction-plan.ts'
import type { Shared } from '../shared.ts'
import { createGate } from '../traffic.ts'
import type { PluginSettings } from './settings.ts'

/** A server with a key, and the clients that reach it. */
export interface Access extends Pick<Session, 'address' | 'key' | 'raw' | 'plugin' | 'rules'> {
  readonly client: Client
}

export type Connections = ReturnType<typeof createConnections>

/** The clients of a plugin. `closeIdle` ends unused connections, except for `kept` of each client. */
export function createConnections(
  { target, timeoutMs }: PluginSettings,
  { pace: ofForeign, recorder, hangDetector: hangs, progress }: Shared,
  draft: (changes?: Partial<Draft>) => Draft,
  observers: readonly Observer[],
) {
  const pace = target.server === null ? ofForeign : unpaced
  const clients: PersistentClient[] = []
  const urls = new Set<string>()
  const { observe, sendOnly } = createGate(progress)
  /** The operations for one base URL with their clients. */
  const access = (url: string, key: string): Access => {
    // Servers that the kit launches in addition to the target are on this machine and of the same kind.
    const transport = url === target.url || target.server !== null ? target.transport : directTransport
    const waits = hangs.at({ url, key, timeoutMs })
    urls.add(url)
    const options = { baseUrl: url, transport, timeoutMs, pace, recorder, waits }
    const persistent = createClient(options)
    clients.push(persistent)
    const sent = { client: persistent, raw: withKeyHeader(createRawClient(options), target.keyAs) }
    const { client, raw } = observed(url, sent, [observe, ...observers])
    const plugin = createPlugin(client, key, target.keyAs)
    return { address: addressOf(url), key, client, raw, plugin, rules: createRules({ plugin, draft }) }
  }
  const closeIdle = (kept?: number) => {
    for (const client of clients) client.closeIdle(kept)
  }
  const forget = () => {
    for (const url of urls) hangs.forget(url)
  }
  return { access, closeIdle, forget, sendOnly }
}

/** Raw requests are written with `X-API-Key`. A server that does not support it gets the other header. */
function withKeyHeader(raw: RawClient, keyAs: Target['keyAs']): RawClient {
  if (keyAs === undefined) return raw
  const inOther = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\r\nX-API-Key: ', '\r\nAuthorization: Bearer '), 'latin1')
  return (request) => raw({ ...request, bytes: piecesOf(request).map(inOther) })
}

/** The guards between the checks and a foreign server, with one watch and one ledger; null for a server of the kit. */
export function createGuards({ target, logins, safety }: PluginSettings, { redactSecrets, recorder }: Shared) {
  if (safety === null) return null
  const { note, owns: isOwn } = createOwnership(logins, safety.before)
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redactSecrets)
  const watch = createWatch(safety.before, isOwn)
  const countWrite = createBudget(safety.mostWrites, 'writes')
  const knowledge = nothingKnown()
  const lastRead = createLastRead()
  const deliver: Observer = () => (received) => recorder.deliver(received.responses.at(-1)?.exchange)
  const through = (access: Access, isLeased: boolean): Access => {
    // A leased server also gets rules of the kit from its parameters, and no other client can add rules.
    const seen = isLeased ? createWatch([], ownByRange(logins, [])) : watch
    const { key } = access
    const { draft } = access.rules
    const common = { client: access.client, key, ledger, isOwn, knowledge, lastRead, note, countWrite }
    const list = { ...common, watch: seen, isLeased, draft }
    const guarded = { client: guardClient(list), raw: guardRaw(access.raw, list) }
    const { client, raw } = observed(target.url, guarded, [deliver])
    const plugin = createPlugin(client, key, target.keyAs)
    const { list: readList } = createPlugin(lastRead.reuse(client), key, target.keyAs)
    const rules = createRules({ plugin, draft, list: readList })
    return { ...access, client, raw, plugin, rules }
  }
  return {
    watch,
    lastRead,
    isOwn,
    closedReason() {
      if (knowledge.wrong !== null) {
        return 'the server removes other rules than the one at the index, so nothing more is added or removed'
      }
      return knowledge.lost && 'the server loses existing rules when one is added, so nothing more is added'
    },
    async harm() {
      const lost = knowledge.wrong ?? (await knowledge.lost)
      return lost instanceof ServerFault ? lost : null
    },
    through,
  }
}

type DriverListener = Pick<Connections, 'closeIdle' | 'forget'> & Pick<Shared['recorder'], 'note'>

/** A driver that notifies when a server was started or ended: its connections are useless, and its list may differ. */
export function observedDriver(driver: Driver, { closeIdle, forget, note }: DriverListener): Driver {
  const ended = () => {
    forget()
    closeIdle()
  }
  const noted =
    <Given extends unknown[], Result>(step: string, act: (...given: Given) => Result) =>
    (...given: Given) => {
      note(step)
      return act(...given)
    }
  return {
    ...driver,
    configure: noted('Change the parameters.', driver.configure),
    deleteRulesFile: noted('Delete the rules file.', driver.deleteRulesFile),
    writeRulesFile: noted('Overwrite the rules file.', driver.writeRulesFile),
    start: noted(startNote, (id, wait) => driver.start(id, wait).finally(forget)),
    stop: noted('Stop the server.', (id) => {
      // A server may wait for open connections to end.
      closeIdle()
      return driver.stop(id).finally(ended)
    }),
    crash: noted('Kill the server.', (id) => driver.crash(id).finally(ended)),
    discard: (id) => driver.discard(id).finally(ended),
  }
}
