import { copyValue, publicCopySyntax } from '../../model/copy-syntax.ts'
import { contentLine } from '../../model/rule.ts'
import { createPlugin } from '../../session/plugin.ts'
import type { ServerSettings, StartWait } from '../driver.ts'
import { type LiveServer, restartWith } from './live-server.ts'
import { asBefore, type DesiredParameters, type StepName, sameParameters } from './step.ts'

/** A list with more rules of the kit is emptied by deleting the file instead. */
const maxSingleRemovals = 30

/**
 * The two ways in which a check starts the server. Both resolve to whether it answers. Before foreign rules are removed
 * for the first time, the server gets a temporary key, so that no other client can add rules that would be lost. This
 * also proves that the hooks work.
 */
export function createStarts(server: LiveServer, temporaryKey: string) {
  const { state, options } = server
  const exclusive = (copy: DesiredParameters['copy']): DesiredParameters => ({ apiKey: { value: temporaryKey }, copy })
  let hasExclusiveAccess = false

  const takeExclusiveAccess = async () => {
    if (hasExclusiveAccess) return
    await server.readUnchanged()
    await server.drive({ steps: restartWith(server, ['set-parameters']), desired: exclusive('as-before') })
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
      const copied = Object.values(settings.parameters)
      const gone = before.filter((rule) => !copied.includes(copyValue(publicCopySyntax, rule)))
      const steps = restartWith(server, [...change, 'delete-rules-file'])
      return server.drive({ steps, desired, wait, gone })
    },
    /** Starts with the current list, after the queued steps. */
    async again(settings: ServerSettings, queue: readonly StepName[], wait: StartWait): Promise<boolean> {
      const desired = desiredParametersOf(settings, options.key)
      const changes = !sameParameters(desired, state.desired)
      if (state.running && queue.length === 0 && !changes) return true
      await server.readUnchanged()
      return server.drive({ steps: stepsOf(server, queue, changes), desired, wait })
    },
  }
}

async function addProbeRule({ client, options: { logins, ledger } }: LiveServer, key: string): Promise<void> {
  const { from: master, to: follower } = logins
  const probe = { master, follower, mode: 'mult', value: 1, direction: 'same' }
  ledger.append({ event: 'write', request: 'POST /api/rules', body: contentLine(probe), logins: [master, follower] })
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
