import { createApp, type RequestHandler } from './http/app.ts'
import { type LiveList, liveList } from './http/live-list.ts'
import { type Listener, listen } from './http/server.ts'
import type { Service } from './http/service.ts'
import { portFor, type Resolved } from './options.ts'
import type { Parameters } from './store/copy-parameters.ts'
import { loadRules } from './store/start-up.ts'

/** One life of the plugin, from a start to a stop or a crash. */
export interface Life {
  readonly list: LiveList
  readonly handle: RequestHandler
  /** The port listened on; undefined while there is none. */
  readonly port: () => number | undefined
  /** Opens the port, unless the API is disabled. @throws PortUnavailableError */
  readonly listen: (port: number) => Promise<void>
  /** Lets requests in flight finish, then closes everything. */
  readonly end: () => Promise<void>
  /** Cuts everything off at once. When it resolves, nothing touches the rules file any more. */
  readonly die: () => Promise<void>
}

/** What one life is given. */
export interface Circumstances extends Resolved {
  readonly parameters: Parameters
  readonly capacity: number
}

/** How long an end waits for requests in flight. */
const graceMs = 5_000

/** Loads the rules (clause 4.3). @throws RefusesToStartError, InvalidOptionError */
export async function beginLife(given: Circumstances): Promise<Life> {
  const { file, parameters, capacity, seams, plugin, log, host, requestTimeoutMs } = given
  const key = parameters.API_Key ?? ''
  const configuredPort = portFor(given, parameters)
  const { rules, source, unreadable, corrupt } = await loadRules({ file, parameters, capacity, seams })
  log({ level: unreadable.length > 0 || corrupt ? 'warn' : 'info', event: 'rules-loaded', source, unreadable, corrupt })

  let listener: Listener | undefined
  let dead = false
  const writeFile = async (bytes: Uint8Array) => {
    if (dead) throw new Error('The plugin has died.')
    await file.write(bytes)
  }
  const list = liveList(rules)
  const port = () => listener?.port
  const service: Service = { seams, list, key, capacity, plugin, port, configuredPort, writeFile, log }
  const handle = createApp(service)
  return {
    list,
    handle,
    port,
    listen: async (wanted) => {
      if (key === '' && !seams.listensWhenDisabled) return
      listener = await listen(handle, service, { host, port: wanted, requestTimeoutMs })
      if (!dead) return
      await listener.destroy()
      throw new Error('The plugin died while it was starting.')
    },
    end: async () => {
      await listener?.close(graceMs)
      await list.turns.settled()
      if (seams.savesOnStop && !dead) await file.write(seams.encodeFile(list.rules()))
    },
    die: async () => {
      dead = true
      await listener?.destroy()
      await list.turns.settled()
    },
  }
}
