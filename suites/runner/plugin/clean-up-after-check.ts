import { NoResponse } from '../../client/response.ts'
import { type Rule, sameContent } from '../../model/rule.ts'
import { cleanUp } from '../../safety/clean-up.ts'
import { ServerFault } from '../../safety/list-change-errors.ts'
import { differences } from '../../safety/list-state.ts'
import type { PluginContext } from './context.ts'

/** With more rules to remove than this, a server of the kit's own is recreated instead. */
const removedOneByOne = 20

/**
 * Removes the rules that the last check added. If the list then differs from before, a server that the kit started is
 * recreated. On a foreign server no check may add rules while rules of the kit remain.
 */
export async function cleanUpAfterCheck(context: PluginContext): Promise<void> {
  const { before } = context
  // The list of a leased server is emptied for the next lease and restored at the end.
  if (context.leased) return
  if (context.dead) return renew(context)
  if (before === null) return
  if (context.owned) await cleanUpOwned(context, before)
  else await clean(context)
}

/** Removes the rules that keep the list full, so that the next check finds a server with the original list. */
export async function removeFillRules(context: PluginContext): Promise<void> {
  if (context.filler.length === 0 && !context.dead) return
  context.filler.length = 0
  // No check is judged here, so a server that the kit started is sent no requests, which could end it.
  await (context.owned ? renew(context) : cleanUpAfterCheck(context))
  context.recorder.take()
}

async function clean(context: PluginContext): Promise<void> {
  // Nothing more is added. Each further check would repeat what failed; the end of the run tries again.
  if (context.closed !== null) return
  const isLeft = leftBehind(context)
  const { list, fault } = await cleanUp(context.main.plugin, isLeft)
  const left = list.filter(isLeft).length
  if (left === 0) return
  const reason = `the server does not remove the rules of the kit: ${left} stayed in its list, and no more are added`
  context.closed ??= fault === null ? new Error(reason) : new ServerFault(fault, reason)
}

/** Recognises the rules that the kit added and must remove. Others keep the list full for the next check. */
function leftBehind({ isOwn, filler }: PluginContext): (rule: Rule) => boolean {
  return (rule) => isOwn(rule) && !filler.some((kept) => sameContent(kept, rule))
}

/** One read is enough for all removals without foreign rules. Throws `NoResponse` if the server ended at a request. */
async function cleanUpOwned(context: PluginContext, before: readonly Rule[]): Promise<void> {
  const { main, filler } = context
  let fatal: NoResponse | null = null
  try {
    const list = await main.rules.read()
    const extra = list.filter(leftBehind(context))
    if (extra.length <= removedOneByOne) {
      for (const rule of extra.toReversed()) await main.plugin.remove(rule.index)
      const after = extra.length === 0 ? list : await main.rules.read()
      const rest = after.filter((rule) => !filler.some((kept) => sameContent(kept, rule)))
      if (differences(before, rest).length === 0) return
    }
  } catch (error) {
    // A server of the kit's own that no longer lists its rules is recreated like any other.
    if (error instanceof NoResponse && !(await context.isAnswering())) fatal = error
  }
  await renew(context)
  if (fatal !== null) throw fatal
}

async function renew(context: PluginContext): Promise<void> {
  const { driver } = context
  const id = context.settings.target.server
  if (driver === null || id === null) return
  // If another program takes the port, no check may run before the next attempt.
  context.dead = true
  context.filler.length = 0
  await driver.crash(id)
  await driver.deleteRulesFile(id)
  await driver.start(id, 'ready')
  context.dead = false
  context.before = null
}
