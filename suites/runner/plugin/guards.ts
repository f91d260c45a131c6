import { OtherRuleLost } from '../../safety/culprits.ts'
import { guardClient, guardRaw } from '../../safety/guard.ts'
import { createLastRead } from '../../safety/last-read.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import { createWatch, nothingKnown, type Purpose, type Watch } from '../../safety/protected-list.ts'
import { createBudget } from '../../safety/write-guard.ts'
import { createPlugin } from '../../session/plugin.ts'
import { createRules } from '../../session/rules.ts'
import type { Access } from './connections.ts'
import type { PluginSettings, SafetySettings } from './settings.ts'

/** What stands between the checks and a foreign server; one watch and one ledger for all. */
export function createGuards(settings: PluginSettings, safety: SafetySettings, redact: (text: string) => string) {
  const { logins } = settings
  const { note, owns: isOwn } = createOwnership(logins, safety.before)
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redact)
  const watch = createWatch(safety.before, isOwn)
  const countWrite = createBudget(safety.mostWrites, 'writes')
  const knowledge = nothingKnown()
  const lastRead = createLastRead()
  const through = (access: Access, key: string, of: Watch, purpose: Purpose): Access => {
    const list = { client: access.client, key, ledger, isOwn, watch: of, knowledge, lastRead, purpose }
    const client = guardClient(list)
    const plugin = createPlugin(client, key, settings.target.keyAs)
    const rules = createRules({ plugin, draft: access.rules.draft })
    return { client, raw: guardRaw(access.raw, list), plugin, rules }
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
      return lost instanceof OtherRuleLost ? lost : null
    },
    main(access: Access, key: string) {
      return through(access, key, watch, { kind: 'run', draft: () => access.rules.draft(), note, countWrite })
    },
    leased(access: Access, key: string) {
      // A leased server gets rules of the kit by its parameters too, and no other client can add one.
      return through(access, key, createWatch([], ownByRange(logins, [])), { kind: 'leased', note, countWrite })
    },
  }
}
