import type { HttpApi } from '../server/api.ts'
import { buildInstance } from '../server/instance.ts'
import { saveOrReject } from '../server/save.ts'
import { savesInGroups } from './hooks/saving.ts'
import { loadRules } from './load-rules.ts'
import type { RuleList } from './model/rule-list.ts'
import { type ResolvedOptions, resolvePort } from './options.ts'
import { handleRequest } from './pipeline.ts'
import type { RuntimeSettings, Service } from './service.ts'
import { groupCommit } from './stages/group-commit.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { rulesLog } from './store/file-format.ts'
import { liveList } from './store/live-list.ts'

/** One run of the plugin, from a start to the next stop or crash. While it is disabled it opens no port. */
export type PluginInstance = Awaited<ReturnType<typeof startPlugin>>

export interface PluginInstanceOptions extends Omit<ResolvedOptions, 'capacity' | 'plugin'> {
  readonly parameters: Parameters
  readonly settings: RuntimeSettings
  /** Wraps the API, e.g. to record a journal. */
  readonly wrapApi: (api: HttpApi, watched: { readonly rules: () => RuleList; readonly key: string }) => HttpApi
}

/** Loads the rules (clause 4.3). @throws CannotStartError, InvalidOptionError */
export async function startPlugin(options: PluginInstanceOptions) {
  const { file, parameters, settings, hooks, log } = options
  const key = parameters.API_Key ?? ''
  const configuredPort = resolvePort(options, parameters)
  const { rules, ...loaded } = await loadRules({ ...options, capacity: settings.capacity })
  const isComplete = loaded.unreadable.length === 0 && loaded.beyondCapacity === 0 && loaded.corrupt === undefined
  log({ level: isComplete ? 'info' : 'warn', event: 'rules-loaded', ...loaded })

  const { port, isKilled, unlessKilled, serve } = buildInstance(options)
  const list = liveList(rules)
  const saveChanges = rulesLog(file)
  const commit = groupCommit(list, (change) => saveOrReject(options, () => unlessKilled(() => saveChanges(change))))
  const inGroups = savesInGroups(hooks)
  const service: Service = {
    ...{ hooks, list, key, settings, port, configuredPort, log },
    writeFile: (bytes) => unlessKilled(() => hooks.writeFile(file, bytes)),
    commitInGroup: () => (inGroups && file.appender !== undefined ? commit : undefined),
  }
  const api = options.wrapApi(pluginApi(service), { rules: list.rules, key })
  const instance = serve(api, list.mutex)
  return {
    ...instance,
    list,
    parameters,
    /** Runs `change` while no client changes the list, and publishes the list that it returns, if any. */
    serialised: (change: () => Promise<RuleList | undefined>): Promise<void> =>
      list.mutex.runExclusive(async () => {
        const rules = await change()
        if (rules !== undefined) list.publish(rules)
      }),
    listen: async (wanted: number) => {
      if (key !== '' || hooks.listensWhenDisabled) await instance.listen(wanted)
    },
    close: async () => {
      await instance.close()
      if (hooks.savesOnStop() && !isKilled()) await file.write(hooks.encodeFile(list.rules()))
    },
  }
}

function pluginApi(service: Service): HttpApi {
  const { hooks, key, log } = service
  return {
    ...hooks,
    respond: (request, track) => handleRequest(request, service, track),
    renderError: ({ status, message, headers }) => ({
      status,
      body: hooks.encodeJson(hooks.errorBody(message, status)),
      headers: { ...hooks.bodyHeaders(), ...headers },
    }),
    acceptsConnections: key !== '' || hooks.acceptsWhenDisabled,
    log,
  }
}
