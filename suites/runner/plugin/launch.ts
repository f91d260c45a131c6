import { failure } from '../../assertions/expect.ts'
import { CannotArrange, FailedExpectation, NotApplicable, OutOfScope } from '../../assertions/failure.ts'
import { connectionFailure, endpointOf } from '../../client/connect.ts'
import { copyValue, publicCopySyntax } from '../../model/copy-syntax.ts'
import { arranged } from '../../session/rules.ts'
import type { LaunchedServer, LaunchSettings } from '../../session/session.ts'
import { type Driver, PortTaken, type PreparedServer, type ServerSettings } from '../../targets/driver.ts'
import { otherParameters } from '../reproduction-plan.ts'
import type { PluginContext } from './context.ts'

export type Launcher = ReturnType<typeof createLauncher>

export function createLauncher(context: PluginContext, driver: Driver) {
  const ids: string[] = []
  const servers: LaunchedServer[] = []
  return {
    servers,
    async prepare(settings: LaunchSettings = {}): Promise<LaunchedServer> {
      const key = settings.apiKey ?? usualKey(settings, context)
      const serverSettings = resolve(settings, key, context)
      const { apiKey, copy, port } = settings
      if (apiKey !== undefined || copy !== undefined || port !== undefined) context.recorder.note(otherParameters)
      context.leased = !context.owned && (serverSettings.list !== 'any' || settings.apiKey !== undefined)
      const { id, url } = await driver.prepare(serverSettings).catch((error: unknown) => {
        if (!(error instanceof PortTaken)) throw error
        throw new OutOfScope('another program uses the default port: free port 8443 and run again')
      })
      ids.push(id)
      context.setDisabled(url, isDisabled(settings))
      const server = launchedServer({ id, url, key, settings }, context, driver)
      servers.push(server)
      return server
    },
    async discardAll() {
      await Promise.all(ids.splice(0).map((id) => driver.discard(id)))
    },
  }
}

/** A foreign server that keeps its rules also keeps its key, if possible. */
function usualKey({ list }: LaunchSettings, context: PluginContext): string {
  const { key, temporaryKey } = context.settings.target
  if (context.settings.keepServerOf !== undefined) return key
  if (temporaryKey === undefined) return context.newKey()
  return list === 'any' ? key : temporaryKey
}

function resolve(settings: LaunchSettings, key: string, { settings: { target } }: PluginContext): ServerSettings {
  const choosesCapacity = target.capabilities.includes('capacity')
  return {
    parameters: { ...(settings.apiKey === null ? {} : { API_Key: settings.apiKey ?? key }), ...settings.copy },
    port: settings.port ?? 'given',
    capacity: choosesCapacity ? (settings.capacity ?? null) : null,
    list: settings.list ?? (Object.keys(settings).length === 0 ? 'empty' : 'fresh'),
  }
}

function launchedServer(
  { id, url, key, settings }: PreparedServer & { readonly key: string; readonly settings: LaunchSettings },
  context: PluginContext,
  driver: Driver,
): LaunchedServer {
  const shared = settings.list === 'any'
  const startWith = async (wait: 'ready' | 'brief') => {
    const answering = await driver.start(id, wait)
    context.restarted()
    return answering
  }
  let copied = countCopied(settings, context)
  const start = async () => {
    if (await startWith('ready')) return
    // On a server that the kit did not start, the command that starts it may be at fault.
    const cause = context.owned ? failure('server.silent-after-start', { difference: null }) : null
    throw new CannotArrange('the server was started and does not answer', { cause })
  }
  const configure = (changes: LaunchSettings) => {
    copied = Math.max(copied, countCopied(changes, context))
    context.setDisabled(url, isDisabled({ ...settings, ...changes }))
    return driver.configure(id, resolve({ ...settings, ...changes }, key, context))
  }
  return {
    ...context.launchedAccess(url, key, shared),
    url,
    get copied() {
      return copied
    },
    withKey: (other) => context.launchedAccess(url, other, shared),
    start,
    tryStart: (wait = 'brief') => startWith(wait),
    async refusesConnections() {
      if (context.settings.target.kind === 'container') {
        throw new OutOfScope('the container engine accepts connections to the port, whether the server listens or not')
      }
      return (await connectionFailure(endpointOf(url), context.settings.timeoutMs)) === 'ECONNREFUSED'
    },
    stop: () => driver.stop(id),
    crash: () => driver.crash(id),
    async restart(changes = {}) {
      await driver.stop(id)
      if (Object.keys(changes).length > 0) await configure(changes)
      await start()
    },
    configure,
    hasRulesFile: () => driver.hasRulesFile(id),
    deleteRulesFile: () => driver.deleteRulesFile(id),
    writeRulesFile: (text) => driver.writeRulesFile(id, text),
  }
}

function isDisabled({ apiKey }: LaunchSettings): boolean {
  return apiKey === null || apiKey === ''
}

/** The number of rules in these `Copy_N`. A comma precedes each further follower of a rule. */
function countCopied({ copy = {} }: LaunchSettings, { settings }: PluginContext): number {
  const partsOf = (text: string) => text.split(',').length
  const parts = partsOf(settings.copySyntax ?? publicCopySyntax)
  return Object.values(copy).reduce((sum, value) => sum + Math.max(1, 1 + partsOf(value) - parts), 0)
}

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
