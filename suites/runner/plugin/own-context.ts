import { CannotArrange } from '../../assertions/failure.ts'
import { createRecorder } from '../../client/recorder.ts'
import type { Rule } from '../../model/rule.ts'
import type { Case } from '../../session/check.ts'
import type { Driver, PreparedServer } from '../../targets/driver.ts'
import type { OwnContexts } from '../define-api.ts'
import type { Shared } from '../shared.ts'
import type { PluginContext } from './context.ts'
import { createPluginContext } from './create-context.ts'
import { detectCopySyntax } from './launch.ts'
import type { PluginSettings } from './settings.ts'

/** A server like the target, for checks of one lane that start their own servers. */
interface MainServer extends PreparedServer {
  before: readonly Rule[] | null
}

/** @param target the context of a server that the kit started */
export function createOwnContexts(target: PluginContext, driver: Driver, shared: Shared): OwnContexts<PluginContext> {
  const free: MainServer[] = []
  let readsCopySyntax: Promise<boolean | null> | null = null

  const start = async (): Promise<MainServer> => {
    const prepared = await driver.prepareLike(target.settings.target.server ?? '')
    const isAnswering = await driver.start(prepared.id, 'ready').catch(async (error: unknown) => {
      await driver.discard(prepared.id).catch(() => undefined)
      throw error
    })
    if (isAnswering) return { ...prepared, before: null }
    await driver.discard(prepared.id)
    throw new CannotArrange(
      'one more server was started beside the first and does not answer: several must be able to run at a time, and the output is in server.log',
    )
  }
  const open = (server: MainServer, name: string): PluginContext => {
    const { settings } = target
    const own: PluginSettings = {
      ...settings,
      target: { ...settings.target, url: server.url, server: server.id },
      launchKey: `${settings.launchKey}-${name}`,
    }
    const recorder = createRecorder(shared.redact, `${name}-`)
    const context = createPluginContext(own, driver, { ...shared, recorder })
    context.state = { ...context.state, stopped: target.state.stopped }
    context.before = server.before
    return context
  }
  /** Best effort: otherwise each check learns it and reports problems. */
  const readInitialList = async (server: MainServer, { copies }: Case): Promise<void> => {
    const context = open(server, 'first')
    await context.prepare().catch(() => undefined)
    server.before = context.before
    if (copies) readsCopySyntax ??= detectCopySyntax(context)
    await readsCopySyntax
    context.closeIdle()
  }

  return {
    async withContext(check, work) {
      const server = free.pop() ?? (await start())
      await readInitialList(server, check)
      const context = open(server, check.id)
      context.readsPublicCopySyntax = await readsCopySyntax
      const result = await work(context)
      context.closeIdle()
      if (context.dead) await driver.discard(server.id)
      else free.push({ ...server, before: context.before })
      return result
    },
    async close() {
      await Promise.all(free.splice(0).map(({ id }) => driver.discard(id)))
    },
  }
}
