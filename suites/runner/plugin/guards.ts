import type { Client } from '../../client/client.ts'
import type { RawClient } from '../../client/raw.ts'
import { createAdditions } from '../../safety/additions.ts'
import { createWatch } from '../../safety/concurrent-edit.ts'
import { guardClient, guardLeased, guardRaw } from '../../safety/guard.ts'
import { openLedger } from '../../safety/ledger.ts'
import { OtherRuleLost } from '../../safety/other-rule-lost.ts'
import { createOwnership, ownByRange } from '../../safety/ownership.ts'
import { createRemovals } from '../../safety/removals.ts'
import { createBudget } from '../../safety/write-guard.ts'
import { createPlugin, keyHeader } from '../../session/plugin.ts'
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
  const additions = createAdditions()
  const removals = createRemovals()
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
      if (removals.wrong !== null) {
        return 'the server removes other rules than the one at the index, so nothing more is added or removed'
      }
      return additions.lost && 'the server loses existing rules when one is added, so nothing more is added'
    },
    async harm() {
      const lost = removals.wrong ?? (await additions.lost)
      return lost instanceof OtherRuleLost ? lost : null
    },
    main(access: Access, key: string) {
      const options = {
        client: access.client,
        headers: keyHeader(key),
        ledger,
        watch,
        isOwn,
        note,
        countWrite,
        additions,
        removals,
        draft: () => access.rules.draft(),
      }
      return through(access, guardClient(options), guardRaw(access.raw, options, options), key)
    },
    leased(access: Access, key: string) {
      const options = { client: access.client, ledger, watch: leasedWatch(), note, countWrite }
      return through(access, guardLeased(options), guardRaw(access.raw, options, null), key)
    },
  }
}
