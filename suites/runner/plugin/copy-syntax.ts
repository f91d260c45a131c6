import { CannotArrange, FailedExpectation, NotApplicable } from '../../assertions/failure.ts'
import { copyValue, publicCopySyntax } from '../../model/copy-syntax.ts'
import { arranged } from '../../session/rules.ts'
import type { PluginContext } from './context.ts'
import { createLauncher, type Launcher } from './launch.ts'

/** The syntax of `Copy_N` is not specified. If none is stated, throws `NotApplicable` unless the public one works. */
export async function requireCopySyntax(context: PluginContext, launcher: Launcher): Promise<void> {
  if (context.settings.copySyntax !== null) return
  context.readsPublicCopySyntax ??= await readsPublicSyntax(context, launcher)
  if (context.readsPublicCopySyntax) return
  throw new NotApplicable(
    `no rule loads from a Copy_N value written as ${publicCopySyntax}: state the syntax of this server with --copy-syntax`,
  )
}

/** Whether rules load from `Copy_N` in the public syntax; null if the syntax was stated or cannot be learned. */
export async function detectCopySyntax(context: PluginContext): Promise<boolean | null> {
  if (context.settings.copySyntax !== null || context.driver === null) return null
  return await readsPublicSyntax(context, createLauncher(context, context.driver)).catch(() => null)
}

async function readsPublicSyntax(context: PluginContext, launcher: Launcher): Promise<boolean> {
  const rule = context.draft({ mode: 'mult', value: 1, direction: 'same' })
  const server = await launcher.prepare({ copy: { Copy_1: copyValue(publicCopySyntax, rule) } })
  try {
    if (!(await server.tryStart())) return false
    const list = await arranged(() => server.rules.read())
    return list.some(({ master, follower }) => master === rule.master && follower === rule.follower)
  } catch (error) {
    // A list that cannot be read is a failure of an ordinary request, whatever the check tests.
    if (error instanceof CannotArrange && error.cause instanceof FailedExpectation) {
      context.recordUnjudged({ exchanges: [], cause: error.cause })
    }
    throw error
  } finally {
    await launcher.discardAll()
  }
}
