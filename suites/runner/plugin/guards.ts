import type { Client } from '../../client/client.ts'
import type { RawClient } from '../../client/raw.ts'
import { OtherRuleLost } from '../../safety/culprits.ts'
import { guardClient, guardLeased, guardRaw } from '../../safety/guard.ts'
import { openLedger } from '../../safety/ledger.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import { createWatch, nothingKnown } from '../../safety/protected-list.ts'
import { createBudget } from '../../safety/write-guard.ts'
import { createPlugin } from '../../session/plugin.ts'
import { createRules } from '../../session/rules.ts'
import type { Access } from './connections.ts'
import type { PluginSettings, SafetySettings } from './settings.ts'

/** What stands between the checks and a foreign server; one watch and one ledger for all. */
export function createGuards(settings: PluginSettings, safety: SafetySettings, redact: (text: string) => string) {
  const { logins } = settings
  const { note, owns: isOwn } = createOwnership(logins, safety.before)
  // A leased server gets rules of the kit by its parameters too, and no other client can add one.
  const leasedWatch = () => createWatch([], ownByRange(logins, []))
  const ledger = safety.ledgerFile === null ? null : openLedger(safety.ledgerFile, redact)
  const watch = createWatch(safety.before, isOwn)
  const countWrite = createBudget(safety.mostWrites, 'writes')
  const knowledge = nothingKnown()
  const through = (access: Access, client: Client, raw: RawClient, key: string): Access => {
    const plugin = createPlugin(client, key, settings.target.keyAs)
    return {
      client,
      raw,
      plugin,
      rules: createRules({ plugin, draft: access.rules.draft }),
    }
  }
  return {
    watch,
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
      const draft = () => access.rules.draft()
      const purpose = { kind: 'run', draft, note, countWrite } as const
      const list = { client: access.client, key, ledger, isOwn, watch, knowledge, purpose }
      return through(access, guardClient(list), guardRaw(access.raw, { ledger, note }, list), key)
    },
    leased(access: Access, key: string) {
      const list = { client: access.client, ledger, watch: leasedWatch() }
      return through(access, guardLeased(list, { note, countWrite }), guardRaw(access.raw, { ledger, note }, null), key)
    },
  }
}
