import { pluginApi } from './http/api.ts'
import { type LiveList, liveList } from './http/live-list.ts'
import type { Service } from './http/service.ts'
import { portFor, type Resolved } from './options.ts'
import { createApp } from './server/app.ts'
import { door } from './server/door.ts'
import type { Life as ServerLife } from './server/life-cycle.ts'
import { listen } from './server/listen.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { loadRules } from './store/start-up.ts'

/** One life of the plugin, from a start to a stop or a crash. While it is disabled it opens no port. */
export interface Life extends ServerLife {
  readonly list: LiveList
}

/** What one life is given. */
export interface Circumstances extends Resolved {
  readonly parameters: Parameters
  readonly capacity: number
}

/** Loads the rules (clause 4.3). @throws RefusesToStartError, InvalidOptionError */
export async function beginLife(given: Circumstances): Promise<Life> {
  const { file, parameters, capacity, seams, plugin, log, host, requestTimeoutMs } = given
  const key = parameters.API_Key ?? ''
  const configuredPort = portFor(given, parameters)
  const { rules, source, unreadable, corrupt } = await loadRules({ file, parameters, capacity, seams })
  log({ level: unreadable.length > 0 || corrupt ? 'warn' : 'info', event: 'rules-loaded', source, unreadable, corrupt })

  const { port, isDead, open, close, slam } = door()
  const writeFile = async (bytes: Uint8Array) => {
    if (isDead()) throw new Error('The plugin has died.')
    await file.write(bytes)
  }
  const list = liveList(rules)
  const service: Service = { seams, list, key, capacity, plugin, port, configuredPort, writeFile, log }
  const api = pluginApi(service)
  const handle = createApp(api)
  return {
    list,
    handle,
    port,
    listen: async (wanted) => {
      if (key === '' && !seams.listensWhenDisabled) return
      await open(listen(handle, api, { host, port: wanted, requestTimeoutMs }))
    },
    end: async () => {
      await close()
      await list.turns.settled()
      if (seams.savesOnStop && !isDead()) await file.write(seams.encodeFile(list.rules()))
    },
    die: async () => {
      await slam()
      await list.turns.settled()
    },
  }
}
