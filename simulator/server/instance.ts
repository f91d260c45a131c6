import { Mutex } from 'async-mutex'
import type { HttpApi } from './api.ts'
import { createApp } from './app.ts'
import { type ListenOptions, listen, PortUnavailableError } from './listen.ts'
import type { LogEntry } from './log.ts'

/** One run of a server, from a start to the next stop or crash. */
export type ServerInstance = ReturnType<ReturnType<typeof buildInstance>['serve']>

/** An instance under construction: its API may need its port and its file. */
export function buildInstance({ host, requestTimeoutMs }: Omit<ListenOptions, 'port'>) {
  let listener: Awaited<ReturnType<typeof listen>> | undefined
  let isKilled = false
  const port = () => listener?.port
  return {
    port,
    isKilled: () => isKilled,
    /** Runs a write, unless the instance was killed. */
    unlessKilled: async <Result>(write: () => Promise<Result>): Promise<Result> => {
      if (isKilled) throw new Error('The server was killed.')
      return write()
    },
    /** Completes the instance. Changes to its data use `mutex`; a close or a kill waits for them. */
    serve: (api: HttpApi, mutex: Mutex) => {
      const handle = createApp(api)
      const lastChange = () => mutex.runExclusive(() => undefined)
      return {
        handle,
        /** The port listened on; undefined while there is none. */
        port,
        /** Opens the port. @throws PortUnavailableError */
        listen: async (wantedPort: number) => {
          listener = await listen(handle, api, { host, port: wantedPort, requestTimeoutMs })
          if (!isKilled) return
          await listener.destroy()
          throw new Error('The server was killed while it was starting.')
        },
        /** Lets requests in flight finish, then closes everything. */
        close: async () => {
          await listener?.close()
          await lastChange()
        },
        /** Closes all connections at once. After it resolves, nothing writes to the files any more. */
        kill: async () => {
          isKilled = true
          await listener?.destroy()
          await lastChange()
        },
      }
    },
  }
}

export interface LifeCycleOptions<Instance extends ServerInstance> {
  /** Loads the stored data. */
  readonly startInstance: () => Promise<Instance>
  /** The port to open; 0 for any. */
  readonly port: () => number
  readonly log: (entry: LogEntry) => void
  /** Called when an instance has started, opened its port, or ended. */
  readonly onChange: () => void
  /** Called as soon as a stop, a restart or a crash is wanted. */
  readonly onStop?: (() => void) | undefined
}

/** Starts, stops and restarts a server, one instance at a time. Starts and stops wait for each other; a crash does not wait. */
export type LifeCycle<Instance extends ServerInstance> = ReturnType<typeof lifeCycle<Instance>>

export function lifeCycle<Instance extends ServerInstance>(options: LifeCycleOptions<Instance>) {
  const { log, onChange } = options
  const mutex = new Mutex()
  let instance: Instance | undefined
  let [hasLoaded, hasListened, isStarted] = [false, false, false]
  let lastPort: number | undefined

  async function load(): Promise<Instance> {
    instance ??= await options.startInstance()
    hasLoaded = true
    onChange()
    return instance
  }

  async function start(): Promise<void> {
    if (isStarted) return
    hasListened = true
    const before = instance
    const loaded = await load()
    try {
      await listenAgain(loaded, options.port(), lastPort)
    } catch (error) {
      // A handler that was in use keeps working, unless a crash ended its instance meanwhile.
      if (instance !== undefined) instance = before
      throw error
    }
    isStarted = true
    lastPort = loaded.port() ?? lastPort
    log({ level: 'info', event: 'started', port: loaded.port() })
    onChange()
  }

  async function end(event: 'stopped' | 'crashed'): Promise<void> {
    const ending = instance
    if (ending === undefined) return
    await (event === 'stopped' ? ending.close() : ending.kill())
    // If a crash happened during a stop, the first to finish has already ended the instance.
    if (instance !== ending) return
    instance = undefined
    isStarted = false
    log({ level: 'info', event })
    onChange()
  }

  const stopping = (transition: () => Promise<void>) => {
    options.onStop?.()
    return mutex.runExclusive(transition)
  }

  return {
    start: () => mutex.runExclusive(start),
    stop: () => stopping(() => end('stopped')),
    /** `change` runs while the server is stopped. */
    restart: (change: () => void | Promise<void>) =>
      stopping(async () => {
        // A server that was only used through its handler opens no port, even after a crash.
        const withoutPort = hasLoaded && !hasListened
        await end('stopped')
        await change()
        await (withoutPort ? load() : start())
      }),
    /** Only this may overlap with another transition. */
    crash: () => {
      options.onStop?.()
      return end('crashed')
    },
    /** The current instance. Before the first start it starts one without a port. Undefined after a stop or a crash. */
    currentOrFirst: async () => instance ?? (hasLoaded ? undefined : mutex.runExclusive(load)),
    current: () => instance,
  }
}

/** With port 0 the last port is tried first, so that clients can keep their URL. */
async function listenAgain(instance: ServerInstance, wanted: number, before: number | undefined) {
  if (wanted !== 0 || before === undefined) return instance.listen(wanted)
  return instance.listen(before).catch((error: unknown) => {
    if (error instanceof PortUnavailableError) return instance.listen(0)
    throw error
  })
}
