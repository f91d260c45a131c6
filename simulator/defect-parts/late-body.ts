import type { ReceivedRequest } from '../server/receive.ts'

interface ReceivingHooks {
  readonly asksForKey: (received: ReceivedRequest) => boolean
}

/** A server that is wrong if a body does not arrive together with its headers, or this long after them. */
export function whenBodyIsLate<Hooks extends ReceivingHooks>(
  change: (hooks: Hooks, isLate: () => boolean) => Partial<Hooks>,
  afterMs?: number,
) {
  return (hooks: Hooks): Partial<Hooks> => {
    let isLate = false
    const receiving: ReceivingHooks = {
      asksForKey: (received) => {
        isLate = false
        const beLate = () => {
          isLate = true
        }
        if (afterMs === undefined) setImmediate(beLate)
        else setTimeout(beLate, afterMs).unref()
        return hooks.asksForKey(received)
      },
    }
    return { ...(receiving as Partial<Hooks>), ...change(hooks, () => isLate) }
  }
}

interface JoiningHooks {
  readonly joinBody: (packets: readonly Uint8Array[]) => Uint8Array
}

export function emptyIfLate({ joinBody }: JoiningHooks, isLate: () => boolean): JoiningHooks {
  return { joinBody: (packets) => joinBody(isLate() ? [] : packets) }
}
