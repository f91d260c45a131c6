import type { Api } from '../server/api.ts'
import { createApp } from '../server/app.ts'
import { door } from '../server/instance-listener.ts'
import type { Life as ServerLife } from '../server/life-cycle.ts'
import { listen } from '../server/listen.ts'
import { pluginApi } from './api.ts'
import type { RuleList } from './model/rule-list.ts'
import { portFor, type Resolved } from './options.ts'
import type { PluginIdentity, Service } from './service.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { type LiveList, liveList } from './store/live-list.ts'
import { loadRules } from './store/start-up.ts'

/** One life of the plugin, from a start to a stop or a crash. While it is disabled it opens no port. */
export interface Life extends ServerLife {
  readonly list: LiveList
  readonly parameters: Parameters
  /** Runs `change` between two changes of clients; they see the list that it returns, if any. */
  readonly between: (change: () => Promise<RuleList | undefined>) => Promise<void>
}

/** What may change while the plugin runs. */
export interface Settings {
  capacity: number
  plugin: PluginIdentity
}

/** What one life is given. */
export interface Circumstances extends Omit<Resolved, 'capacity' | 'plugin'> {
  readonly parameters: Parameters
  readonly settings: Settings
  /** Stands between the server and the API, e.g. to keep a journal. */
  readonly between: (api: Api, watched: { readonly rules: () => RuleList; readonly key: string }) => Api
}

/** Loads the rules (clause 4.3). @throws RefusesToStartError, InvalidOptionError */
export async function beginLife(given: Circumstances): Promise<Life> {
  const { file, parameters, settings, hooks, log, host, requestTimeoutMs } = given
  const key = parameters.API_Key ?? ''
  const configuredPort = portFor(given, parameters)
  const { rules, source, unreadable, corrupt } = await loadRules({
    file,
    parameters,
    capacity: settings.capacity,
    hooks,
  })
  log({ level: unreadable.length > 0 || corrupt ? 'warn' : 'info', event: 'rules-loaded', source, unreadable, corrupt })

  const { port, isDead, open, close, slam } = door()
  const writeFile = async (bytes: Uint8Array) => {
    if (isDead()) throw new Error('The plugin has died.')
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
  const api = given.between(pluginApi(service), { rules: list.rules, key })
  const handle = createApp(api)
  return {
    list,
    parameters,
    handle,
    port,
    between: (change) =>
      list.turns.take(async () => {
        const rules = await change()
        if (rules !== undefined) list.publish(rules)
      }),
    listen: async (wanted) => {
      if (key === '' && !hooks.listensWhenDisabled) return
      await open(listen(handle, api, { host, port: wanted, requestTimeoutMs }))
    },
    end: async () => {
      await close()
      await list.turns.settled()
      if (hooks.savesOnStop && !isDead()) await file.write(hooks.encodeFile(list.rules()))
    },
    die: async () => {
      await slam()
      await list.turns.settled()
    },
  }
}
