import type { Harm } from '../../reports/report.ts'
import type { Context } from '../../suites/engine/context.ts'
import { settle } from '../../suites/engine/settle.ts'
import { NoAnswer } from '../../suites/http/answer.ts'
import { openLedger, readLedger } from '../../suites/safety/ledger.ts'
import { differences, type ListState, listState } from '../../suites/safety/list-state.ts'
import { restoreList } from '../../suites/safety/restore.ts'
import { type Draft, describeRule, type Rule, sameContent } from '../../suites/vocabulary/rule.ts'
import { restoreLine } from '../transport/explain.ts'

/** How long to wait for a quiet moment while somebody else changes the list. */
const patienceMs = 10_000

/** What became of the list, after whatever was left of the kit's rules was taken away. */
export async function attest(context: Context, before: ListState | null): Promise<Harm | null> {
  if (before === null) return null
  try {
    return context.owned ? await attestOwned(context, before) : await attestOfOthers(context, before)
  } catch (error) {
    const reason = context.redact(error instanceof Error ? error.message : String(error))
    const wrote = context.settings.safety?.ledgerFile
    return {
      rulesBefore: before.rules.length,
      rulesAfter: before.rules.length,
      hashBefore: before.hash,
      hashAfter: before.hash,
      // Without a write there is nothing to restore, whatever became of the target.
      restored: !wrote,
      differences: wrote
        ? [
            `the list could not be read after the run: ${reason}`,
            `finish the clean-up when the target is back: ${restoreLine(wrote, context.settings.target.transport)}`,
          ]
        : [],
      unreachable: error instanceof NoAnswer,
      interference: [],
    }
  }
}

async function attestOwned(context: Context, before: ListState): Promise<Harm> {
  context.before = before.rules
  await settle(context)
  const after = listState(await context.main.rules.read())
  return {
    ...counts(before, after),
    restored: before.hash === after.hash,
    differences: differences(before.rules, after.rules),
    unreachable: false,
    interference: [],
  }
}

async function attestOfOthers(context: Context, before: ListState): Promise<Harm> {
  const { settings, redact } = context
  const { target, logins, safety } = settings
  const { client } = context.access(target.url, target.key)
  const file = safety?.ledgerFile ?? null
  const ledger = file === null ? null : openLedger(file, redact)
  const options = { client, key: target.key, logins, before: before.rules, ledger, patienceMs }
  const { list, left, troubles } =
    file === null
      ? { list: await context.access(target.url, target.key).rules.read(), left: [], troubles: [] }
      : await restoreList(options)
  ledger?.close()
  const lost = lostWithOwn(file, list)
  const others = list.filter((rule) => !left.includes(rule))
  return {
    ...counts(before, listState(list)),
    restored: left.length === 0 && lost.length === 0,
    differences: [
      ...left.map((rule) => `left behind: ${describeRule(rule)}`),
      ...lost.map((rule) => `vanished with a rule of the kit: ${describeRule(rule)}`),
      ...(lost.length > 0 ? ['unless somebody else removed them, add them again with POST /api/rules'] : []),
      ...(left.length > 0 && file !== null ? [`finish the clean-up: ${restoreLine(file, target.transport)}`] : []),
    ],
    unreachable: false,
    interference: [...differences(before.rules, others), ...troubles],
  }
}

/** Rules of others that vanished together with one of the kit, and have not come back. */
function lostWithOwn(file: string | null, list: readonly Rule[]): readonly Draft[] {
  const run = file === null ? null : readLedger(file)
  return (run?.lost ?? []).filter((rule) => !list.some((listed) => sameContent(listed, rule)))
}

function counts(before: ListState, after: ListState) {
  return {
    rulesBefore: before.rules.length,
    rulesAfter: after.rules.length,
    hashBefore: before.hash,
    hashAfter: after.hash,
  }
}
