import type { Listener } from './listen.ts'

/** How long an end waits for requests in flight. */
const graceMs = 5_000

/** The one door of a server in one of its lives: open at most once, and closed for good. */
export interface InstanceListener {
  /** The port listened on; undefined while there is none. */
  readonly port: () => number | undefined
  readonly isDestroyed: () => boolean
  /** Opens the port, unless the server dies in the meantime. */
  readonly open: (listening: Promise<Listener>) => Promise<void>
  /** Lets requests in flight finish. */
  readonly close: () => Promise<void>
  /** Cuts everything off at once, and marks the life as over. */
  readonly destroy: () => Promise<void>
}

export function createInstanceListener(): InstanceListener {
  let listener: Listener | undefined
  let dead = false
  return {
    port: () => listener?.port,
    isDestroyed: () => dead,
    open: async (listening) => {
      listener = await listening
      if (!dead) return
      await listener.destroy()
      throw new Error('The server died while it was starting.')
    },
    close: async () => listener?.close(graceMs),
    destroy: async () => {
      dead = true
      await listener?.destroy()
    },
  }
}
