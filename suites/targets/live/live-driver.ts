import { Mutex } from 'async-mutex'
import { copyValue, publicCopySyntax } from '../../model/copy-syntax.ts'
import { contentLine, type Rule } from '../../model/rule.ts'
import { createPlugin } from '../../session/plugin.ts'
import { type Driver, DriverFailed, type ServerSettings, type StartWait } from '../driver.ts'
import { type LiveServer, restartWith } from './live-server.ts'
import { type RestoredServer, restoreServer } from './restore-server.ts'
import { asBefore, type DesiredParameters, type StepName, StepSkipped, sameParameters } from './step.ts'

/** A driver that also restores the server. */
export interface LiveDriver extends Driver {
  /** Null if nothing was done to the server. */
  restoreServer(): Promise<RestoredServer | null>
}

/** Deletes the rules file of a running server. The list is not affected. */
const deletion = { steps: ['delete-rules-file'], wait: 'ready', gone: [], purpose: 'check' } as const

/** The requests of the current check since the last start. */
interface Lease {
  settings: ServerSettings
  readonly queue: StepName[]
  started: boolean
}

/**
 * A driver with one server, which is leased to one check after the other. Stops and the steps after them are queued
 * until the next start, so that a person is asked for all of them at once.
 */
export function createLiveDriver(server: LiveServer, temporaryKey: string): LiveDriver {
  const { state, options } = server
  const starts = createStarts(server, temporaryKey)
  // The parent thread may restore the server while a check still uses it.
  const mutex = new Mutex()
  let lease: Lease | null = null
  let declined = false

  const currentLease = () => {
    if (lease === null) throw new DriverFailed('no check has leased the server')
    return lease
  }
  /** Does steps now, unless the person skipped all further ones. */
  const unlessDeclined = async (steps: () => Promise<boolean>) => {
    if (declined) throw new StepSkipped('the person at the terminal skipped all checks that need steps')
    try {
      return await steps()
    } catch (error) {
      if (error instanceof StepSkipped) declined = error.forAll
      throw error
    }
  }
  const start = async (current: Lease, wait: StartWait) => {
    const isFirst = !current.started
    current.started = true
    if (isFirst && current.settings.list !== 'any') return starts.fresh(current.settings, wait)
    return starts.again(current.settings, current.queue.splice(0), wait)
  }
  const serially =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      mutex.runExclusive(() => work(...given))
  const unsupported = (message: string) => () => Promise.reject(new DriverFailed(message))

  return {
    prepare: serially(async (settings: ServerSettings) => {
      if (settings.port !== 'given' || settings.capacity !== null) {
        throw new DriverFailed('the port and the capacity of this server cannot be chosen')
      }
      lease = { settings, queue: [], started: false }
      return { id: 'live', url: options.url }
    }),
    prepareLike: unsupported('there is only one of this server'),
    configure: serially(async (_id, settings: ServerSettings) => {
      currentLease().settings = settings
    }),
    start: serially(async (_id, wait: StartWait) => {
      const current = currentLease()
      return unlessDeclined(() => start(current, wait))
    }),
    stop: serially(async () => void currentLease().queue.push('stop')),
    deleteRulesFile: serially(async () => {
      const { queue } = currentLease()
      const { desired } = state
      // While the server runs, the file must be deleted before the next requests.
      if (!state.running || desired === null || queue.length > 0) queue.push('delete-rules-file')
      else await unlessDeclined(() => server.drive({ ...deletion, desired }))
    }),
    crash: unsupported('this server cannot be killed'),
    hasRulesFile: unsupported('the rules file of this server cannot be seen'),
    writeRulesFile: unsupported('the rules file of this server cannot be written'),
    discard: serially(async () => {
      lease = null
    }),
    restoreServer: serially(async () => (state.touched ? restoreServer(server) : null)),
  }
}

/** A list with more rules of the kit is emptied by deleting the file instead. */
const maxSingleRemovals = 30

/**
 * The two ways in which a check starts the server. Both resolve to whether it answers. Before foreign rules are removed
 * for the first time, the server gets a temporary key. From then on no other client can add rules that would be lost.
 * This also proves that the hooks work before anything is deleted.
 */
export function createStarts(server: LiveServer, temporaryKey: string) {
  const { state, options } = server
  const exclusive = (copy: DesiredParameters['copy']): DesiredParameters => ({ apiKey: { value: temporaryKey }, copy })
  let hasExclusiveAccess = false

  const takeExclusiveAccess = async () => {
    if (hasExclusiveAccess) return
    await server.readUnchanged()
    await server.drive({
      steps: restartWith(server, ['set-parameters']),
      desired: exclusive('as-before'),
      wait: 'ready',
      gone: [],
      purpose: 'check',
    })
    await server.readUnchanged()
    // There may be no rules file yet. With a rule the kit can detect whether the file is deleted later.
    await addProbeRule(server, temporaryKey)
    hasExclusiveAccess = true
  }

  /** Whether the list could be emptied rule by rule, which saves a restart. */
  const emptyByRemovals = async () => {
    if (!(state.answering && sameParameters(exclusive({}), state.desired))) return false
    const list = await server.readUnchanged()
    if (list === null || list.length > maxSingleRemovals) return false
    const plugin = createPlugin(server.client, temporaryKey)
    for (const rule of list.toReversed()) {
      options.ledger.append({ event: 'write', request: `DELETE /api/rules/${rule.index}`, body: null, logins: [] })
      await plugin.remove(rule.index)
    }
    return (await server.read())?.length === 0
  }

  return {
    /** Starts with a list without foreign rules. */
    async fresh(settings: ServerSettings, wait: StartWait): Promise<boolean> {
      await takeExclusiveAccess()
      if (settings.list === 'empty' && (await emptyByRemovals())) return true
      const before = (await server.readUnchanged()) ?? []
      const desired = desiredParametersOf(settings, options.key)
      const change: StepName[] = sameParameters(desired, state.desired) ? [] : ['set-parameters']
      const gone = before.filter((rule) => !isCopied(rule, settings.parameters))
      const steps = restartWith(server, [...change, 'delete-rules-file'])
      return server.drive({ steps, desired, wait, gone, purpose: 'check' })
    },
    /** Starts with the current list, after the queued steps. */
    async again(settings: ServerSettings, queue: readonly StepName[], wait: StartWait): Promise<boolean> {
      const desired = desiredParametersOf(settings, options.key)
      const changes = !sameParameters(desired, state.desired)
      if (state.running && queue.length === 0 && !changes) return true
      await server.readUnchanged()
      return server.drive({ steps: stepsOf(server, queue, changes), desired, wait, gone: [], purpose: 'check' })
    },
  }
}

async function addProbeRule({ client, options: { logins, ledger } }: LiveServer, key: string): Promise<void> {
  const probe = { master: logins.from, follower: logins.to, mode: 'mult', value: 1, direction: 'same' }
  ledger.append({
    event: 'write',
    request: 'POST /api/rules',
    body: contentLine(probe),
    logins: [logins.from, logins.to],
  })
  await createPlugin(client, key).add(probe)
}

/** The queued steps in order. The parameters are set last, while the server is down. */
function stepsOf(server: LiveServer, queue: readonly StepName[], changes: boolean): readonly StepName[] {
  const { hooks } = server.options
  const last: readonly StepName[] = changes ? ['set-parameters'] : []
  const stop = queue.indexOf('stop')
  if (!(hooks.can('stop') && hooks.can('start')) || stop === -1) {
    return restartWith(server, [...last, ...queue.filter((step) => step !== 'stop')])
  }
  return [...queue.slice(0, stop), ...restartWith(server, [...queue.slice(stop + 1), ...last])]
}

/** The settings of a check for a server that has its own key and rules. */
function desiredParametersOf({ parameters, list }: ServerSettings, key: string): DesiredParameters {
  const { API_Key: apiKey, ...copy } = parameters
  return {
    apiKey: apiKey === key ? asBefore.apiKey : { value: apiKey ?? null },
    copy: list === 'any' && Object.keys(copy).length === 0 ? 'as-before' : copy,
  }
}

function isCopied(rule: Rule, parameters: Readonly<Record<string, string>>): boolean {
  return Object.values(parameters).includes(copyValue(publicCopySyntax, rule))
}
