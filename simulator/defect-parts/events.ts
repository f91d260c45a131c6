import type { ApiHooks } from '../server/api.ts'
import { drop } from './wire.ts'

/** The arguments of a hook. */
export type Given<Hook> = Hook extends (...given: infer Arguments extends readonly unknown[]) => unknown
  ? Arguments
  : never

/** A trigger of a defect: it calls `happens` from a hook. */
export type Event<Hooks> = (hooks: Hooks, happens: () => void) => Partial<Hooks>

/** The event that a hook is called, optionally with arguments that match. */
export function calling<Hooks extends object>() {
  return <Name extends keyof Hooks & string>(
    name: Name,
    isMeant: (...given: Given<Hooks[Name]>) => boolean = () => true,
  ): Event<Hooks> =>
    (hooks, happens) => {
      const right = hooks[name]
      const hook = (...given: Given<Hooks[Name]>): unknown => {
        if (isMeant(...given)) happens()
        return right instanceof Function ? Reflect.apply(right, undefined, given) : right
      }
      return { [name]: hook } as unknown as Partial<Hooks>
    }
}

/** A server that behaves correctly until an event has happened this often. */
export function after<Hooks extends object>(
  event: Event<Hooks>,
  wrong: (hooks: Hooks, hasHappened: () => boolean) => Partial<Hooks>,
  times = 1,
): (hooks: Hooks) => Partial<Hooks> {
  return (hooks) => {
    let left = times
    const changed = wrong(hooks, () => left <= 0)
    const happens = () => {
      left -= 1
    }
    return { ...changed, ...event({ ...hooks, ...changed }, happens) }
  }
}

/** The hook that every request with a head reaches. */
export type AskingHooks = Pick<ApiHooks<string, string>, 'asksForKey'>

/** A server that leaks resources, e.g. workers. Once all are lost, no request gets a response. */
export function losing<Hooks extends AskingHooks>(
  event: Event<Hooks>,
  resources = 1,
): (hooks: Hooks) => Partial<Hooks> {
  const dropsAll = ({ asksForKey }: Hooks, isLost: () => boolean): AskingHooks => ({
    asksForKey: (received) => (isLost() ? drop() : asksForKey(received)),
  })
  return after(event, (hooks, isLost) => dropsAll(hooks, isLost) as Partial<Hooks>, resources)
}

/** Calls another function if this one throws. */
export function catching<Input, Output>(
  read: (input: Input) => Output,
  react: (error: unknown) => Output,
): (input: Input) => Output {
  return (input) => {
    try {
      return read(input)
    } catch (error) {
      return react(error)
    }
  }
}

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
