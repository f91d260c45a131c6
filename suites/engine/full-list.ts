import type { Context } from './context.ts'
import type { Exchange } from './outcome.ts'

/**
 * Why the target takes no further rule, if that is what was behind a 500 of this check; null if it
 * takes one. A server of somebody else may be full from the start, and then adding is out of scope
 * (clause 8). An empty list is never full, nor is one that the kit itself may fill.
 */
export async function whyFull(context: Context, exchanges: readonly Exchange[]): Promise<string | null> {
  const { before, main, owned, filler } = context
  const { capacity } = context.settings.target
  if (owned || before === null || before.length === 0 || filler.length > 0) return null
  if (!exchanges.some(({ request, response }) => ['POST', 'RAW'].includes(request.method) && response?.status === 500))
    return null
  const { status } = await main.plugin.add(context.draft())
  if (status !== 500) return null
  // The rules of the check count too: they are taken away later.
  const { length } = await main.rules.read()
  if (capacity !== null && length < capacity) return null
  return `the list seems to be full with ${length} rules: an ordinary rule is answered with 500 as well`
}
