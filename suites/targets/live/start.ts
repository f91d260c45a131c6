import { orNull } from '../../client/response.ts'
import { contentLine, type Draft } from '../../model/rule.ts'
import { loginsIn } from '../../session/logins.ts'
import { createPlugin } from '../../session/plugin.ts'
import type { ServerSettings, StartWait } from '../driver.ts'
import { type LiveServer, restartWith } from './live-server.ts'
import { asBefore, type DesiredParameters, type StepName, sameParameters } from './step.ts'

/** A list with more rules of the kit is emptied by deleting the file instead. */
const maxSingleRemovals = 30

/**
 * How checks start the server. Before foreign rules are removed for the first time, the server gets a temporary key, so
 * that no other client can add rules that would be lost. This also proves that the hooks work.
 */
export function createStart(server: LiveServer, temporaryKey: string) {
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
      options.ledger.append({ event: 'write', request: `DELETE /api/rules/${rule.index}`, body: '', logins: [] })
      if ((await orNull(plugin.remove(rule.index))) === null) return false
    }
    return (await server.read())?.length === 0
  }

  /**
   * Starts with the current list, after the queued steps; or with a list without foreign rules, if the queue is null.
   * Resolves to whether it answers.
   */
  return async (settings: ServerSettings, queue: readonly StepName[] | null, wait: StartWait): Promise<boolean> => {
    if (queue === null) {
      await takeExclusiveAccess()
      if (settings.list === 'empty' && (await emptyByRemovals())) return true
    }
    const desired = desiredParametersOf(settings, options.key)
    const changes = !sameParameters(desired, state.desired)
    if (queue?.length === 0 && state.running && !changes) return true
    const before = (await server.readUnchanged()) ?? []
    // A check that is repeated loads the same rules again, in any syntax.
    const copies = desired.copy === 'as-before' ? {} : desired.copy
    const copied = new Set(Object.values(copies).flatMap((value) => value.match(/\d+/g) ?? []))
    const isGone = ({ master, follower }: Draft) =>
      queue === null && ![master, follower].every((login) => copied.has(`${login}`))
    const steps = stepsOf(server, queue ?? ['delete-rules-file'], changes)
    announceCopies(desired, options)
    return server.drive({ steps, desired, wait, gone: before.filter(isGone) })
  }
}

/** The rules of the parameters are the kit's own, even if the server does not remove them. */
function announceCopies({ copy }: DesiredParameters, { logins, ledger }: LiveServer['options']): void {
  for (const [name, value] of copy === 'as-before' ? [] : Object.entries(copy)) {
    ledger.append({ event: 'write', request: name, body: value, logins: loginsIn(value, logins) })
  }
}

async function addProbeRule({ client, options: { logins, ledger } }: LiveServer, key: string): Promise<void> {
  const { from: master, to: follower } = logins
  const probe = { master, follower, mode: 'mult', value: 1, direction: 'same' }
  ledger.append({ event: 'write', request: 'POST /api/rules', body: contentLine(probe), logins: [master, follower] })
  // Other checks judge a missing response.
  await orNull(createPlugin(client, key).add(probe))
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
