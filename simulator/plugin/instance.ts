import type { HttpApi } from '../server/api.ts'
import { createApp } from '../server/app.ts'
import { createInstanceListener } from '../server/instance-listener.ts'
import type { ServerInstance as ServerLife } from '../server/life-cycle.ts'
import { listen } from '../server/listen.ts'
import { pluginApi } from './api.ts'
import type { RuleList } from './model/rule-list.ts'
import { type ResolvedOptions, resolvePort } from './options.ts'
import type { PluginIdentity, Service } from './service.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { type LiveList, liveList } from './store/live-list.ts'
import { loadRules } from './store/start-up.ts'

/** One life of the plugin, from a start to a stop or a crash. While it is disabled it opens no port. */
export interface PluginInstance extends ServerLife {
  readonly list: LiveList
  readonly parameters: Parameters
  /** Runs `change` between two changes of clients; they see the list that it returns, if any. */
  readonly serialised: (change: () => Promise<RuleList | undefined>) => Promise<void>
}

/** What may change while the plugin runs. */
export interface RuntimeSettings {
  capacity: number
  plugin: PluginIdentity
}

/** What one life is given. */
export interface PluginInstanceOptions extends Omit<ResolvedOptions, 'capacity' | 'plugin'> {
  readonly parameters: Parameters
  readonly settings: RuntimeSettings
  /** Stands between the server and the API, e.g. to keep a journal. */
  readonly wrapApi: (api: HttpApi, watched: { readonly rules: () => RuleList; readonly key: string }) => HttpApi
}

/** Loads the rules (clause 4.3). @throws RefusesToStartError, InvalidOptionError */
export async function startPlugin(options: PluginInstanceOptions): Promise<PluginInstance> {
  const { file, parameters, settings, hooks, log, host, requestTimeoutMs } = options
  const key = parameters.API_Key ?? ''
  const configuredPort = resolvePort(options, parameters)
  const { rules, source, unreadable, corrupt } = await loadRules({
    file,
    parameters,
    capacity: settings.capacity,
    hooks,
  })
  log({ level: unreadable.length > 0 || corrupt ? 'warn' : 'info', event: 'rules-loaded', source, unreadable, corrupt })

  const { port, isDestroyed, open, close, destroy } = createInstanceListener()
  const writeFile = async (bytes: Uint8Array) => {
    if (isDestroyed()) throw new Error('The plugin has died.')
    await file.write(bytes)
  }
  const list = liveList(rules)
  const service: Service = {
    ...{ hooks, list, key, port, configuredPort, writeFile, log },
    get capacity() {
      return settings.capacity
    },
    get plugin() {
      return settings.plugin
    },
  }
  const api = options.wrapApi(pluginApi(service), { rules: list.rules, key })
  const handle = createApp(api)
  return {
    list,
    parameters,
    handle,
    port,
    serialised: (change) =>
      list.mutex.take(async () => {
        const rules = await change()
        if (rules !== undefined) list.publish(rules)
      }),
    listen: async (wanted) => {
      if (key === '' && !hooks.listensWhenDisabled) return
      await open(listen(handle, api, { host, port: wanted, requestTimeoutMs }))
    },
    close: async () => {
      await close()
      await list.mutex.settled()
      if (hooks.savesOnStop && !isDestroyed()) await file.write(hooks.encodeFile(list.rules()))
    },
    kill: async () => {
      await destroy()
      await list.mutex.settled()
    },
  }
}
