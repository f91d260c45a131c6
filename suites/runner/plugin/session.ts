import { publicCopySyntax } from '../../model/copy-syntax.ts'
import type { Draft } from '../../model/rule.ts'
import type { Case } from '../../session/check.ts'
import { fillToCapacity } from '../../session/fill.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import type { OpenCheck } from '../server-under-test.ts'
import type { PluginContext } from './context.ts'
import { createLauncher, type Launcher, requireCopySyntax } from './launch.ts'

export function openCheck(context: PluginContext, check: Case): OpenCheck<Session> {
  const launcher = context.driver && createLauncher(context, context.driver)
  return {
    async session() {
      if (check.copies && launcher !== null) await requireCopySyntax(context, launcher)
      return createSession(context, launcher, check)
    },
    servers: launcher?.servers ?? [],
    close: async () => launcher?.discardAll(),
  }
}

function createSession(context: PluginContext, launcher: Launcher | null, { id, needs = [] }: Case): Session {
  const { settings, main } = context
  const { target, maxFill } = settings
  const fillers = new Map<LaunchedServer, Draft[]>()
  const prepare: Session['prepare'] = async (launchSettings) => {
    // With `restart` alone the foreign rules stay in the list.
    const isDeclared = needs.includes('launch') || (needs.includes('restart') && launchSettings?.list === 'any')
    if (launcher === null || !isDeclared) throw new Error(`${id} starts a server that it has not declared in \`needs\``)
    return launcher.prepare(launchSettings)
  }
  return {
    ...main,
    newKey: context.newKey,
    capacity: target.capacity,
    copySyntax: settings.copySyntax ?? publicCopySyntax,
    mayWrite: settings.risk !== 'read',
    owned: context.owned,
    seed: settings.seed,
    thorough: settings.thorough,
    throwSeen(kind) {
      const [first] = [...context.earlier, context.seen()].flatMap((seen) => seen[kind] ?? [])
      if (first !== undefined) throw first
    },
    known: {
      find(what) {
        const exchanges = context.known.get(what) ?? null
        const responses = exchanges?.flatMap(({ response, lists }) => [response, ...lists.slice(1)]) ?? []
        context.recorder.recall(responses.map(({ exchange }) => exchange))
        return exchanges
      },
      store(what, exchanges) {
        if (!context.owned) context.known.set(what, exchanges)
      },
    },
    fill(options) {
      context.filled = true
      return fillToCapacity({ ...main, ...options, capacity: target.capacity, maxFill, filler: context.filler })
    },
    fillServer(server) {
      context.filled = true
      const filler = fillers.get(server) ?? []
      fillers.set(server, filler)
      return fillToCapacity({ ...server, capacity: target.capacity, maxFill, filler })
    },
    prepare,
    async launch(launchSettings) {
      const server = await prepare(launchSettings)
      await server.start()
      return server
    },
  }
}
