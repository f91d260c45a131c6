import type { ApiHooks } from '../server/api.ts'
import type { AskingHooks } from './events.ts'

/** A server that is wrong if a body does not arrive together with its headers, or this long after them. */
export function whenBodyIsLate<Hooks extends AskingHooks>(
  change: (hooks: Hooks, isLate: () => boolean) => Partial<Hooks>,
  afterMs?: number,
) {
  return (hooks: Hooks): Partial<Hooks> => {
    let isLate = false
    const receiving: AskingHooks = {
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

type JoiningHooks = Pick<ApiHooks<string, string>, 'joinBody'>

export function emptyIfLate({ joinBody }: JoiningHooks, isLate: () => boolean): JoiningHooks {
  return { joinBody: (packets) => joinBody(isLate() ? [] : packets) }
}
