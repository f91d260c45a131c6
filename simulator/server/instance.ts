import type { Mutex } from 'async-mutex'
import type { HttpApi } from './api.ts'
import { createApp } from './app.ts'
import { type ListenOptions, listen } from './listen.ts'

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
