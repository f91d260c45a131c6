import { NoAnswer } from '../http/answer.ts'
import { cleanUp } from '../safety/clean-up.ts'
import { differences } from '../safety/list-state.ts'
import type { Rule } from '../vocabulary/rule.ts'
import type { Context } from './context.ts'

/** Beyond this many rules to remove one by one, a server of the kit's own is made anew instead. */
const removedOneByOne = 20

/**
 * Takes away what the last check added. A server that the kit started is made anew if its list is
 * not as before then; a server of somebody else is left alone, and the difference is reported when
 * the run ends.
 */
export async function settle(context: Context): Promise<void> {
  const { before } = context
  if (before === null) return
  if (context.owned) await settleOwned(context, before)
  else await clean(context, before)
}

/** Gives up the rules that keep the list full, so that the next check finds the list as it was. */
export async function releaseFiller(context: Context): Promise<void> {
  if (context.filler.length === 0) return
  context.filler.length = 0
  await settle(context)
  context.recorder.take()
}

/** Whether the target answers a plain request, tried twice. */
export async function answersAgain(context: Context): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await context.main.plugin.status()
      return true
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
  }
  return false
}

function clean(context: Context, before: readonly Rule[]): Promise<readonly Rule[]> {
  const { main, settings, filler } = context
  return cleanUp({ ...main, before, logins: settings.logins, keep: filler })
}

async function settleOwned(context: Context, before: readonly Rule[]): Promise<void> {
  try {
    const list = await context.main.rules.read()
    const extra = list.length - before.length - context.filler.length
    if (extra <= removedOneByOne) {
      const after = await clean(context, before)
      if (context.filler.length > 0 || differences(before, after).length === 0) return
    }
  } catch {
    // A server of the kit's own that no longer lists its rules is made anew like any other.
  }
  await renew(context)
}

async function renew(context: Context): Promise<void> {
  const { driver } = context
  const id = context.settings.target.server
  if (driver === null || id === null) return
  context.filler.length = 0
  await driver.crash(id)
  await driver.deleteRulesFile(id)
  await driver.start(id, 'ready')
  context.before = null
}
