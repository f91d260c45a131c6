import type { ApiHooks } from '../server/api.ts'
import { drop } from './wire.ts'

/** The arguments of a hook. */
export type Given<Hook> = Hook extends (...given: infer Arguments extends readonly unknown[]) => unknown
  ? Arguments
  : never

/** A trigger of a defect: it calls `happens` from a hook. */
export type Event<Hooks> = (hooks: Hooks, happens: () => void) => Partial<Hooks>

/** The wrong hooks while `isWrong`, and otherwise the right ones in their place. Only functions can be wrong for a time. */
export function whenever<Hooks extends object>(right: Hooks, wrong: Partial<Hooks>, isWrong: () => boolean) {
  const names = Object.keys(wrong) as (keyof Hooks)[]
  const hooks = names.map((name) => {
    const [hook, correct] = [wrong[name], right[name]]
    if (!(hook instanceof Function && correct instanceof Function)) return [name, correct]
    return [name, (...given: readonly unknown[]) => Reflect.apply(isWrong() ? hook : correct, undefined, given)]
  })
  return Object.fromEntries(hooks) as Partial<Hooks>
}

/** A server that behaves correctly until an event has happened this often. */
export function after<Hooks extends object>(
  event: Event<Hooks>,
  override: (hooks: Hooks) => Partial<Hooks>,
  times = 1,
): (hooks: Hooks) => Partial<Hooks> {
  return (hooks) => {
    let left = times
    const changed = whenever(hooks, override(hooks), () => left <= 0)
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
  const dropsAll: AskingHooks = { asksForKey: drop }
  return after(event, () => dropsAll as Partial<Hooks>, resources)
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
    let latest = { isLate: false }
    const receiving: AskingHooks = {
      asksForKey: (received) => {
        const body = { isLate: false }
        const beLate = () => {
          body.isLate = true
        }
        latest = body
        if (afterMs === undefined) setImmediate(beLate)
        else setTimeout(beLate, afterMs).unref()
        return hooks.asksForKey(received)
      },
    }
    return { ...(receiving as Partial<Hooks>), ...change(hooks, () => latest.isLate) }
  }
}

type JoiningHooks = Pick<ApiHooks<string, string>, 'joinBody'>

export function emptyIfLate({ joinBody }: JoiningHooks, isLate: () => boolean): JoiningHooks {
  return { joinBody: (packets) => joinBody(isLate() ? [] : packets) }
}
