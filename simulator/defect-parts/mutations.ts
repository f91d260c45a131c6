import type { HttpResponse, Json } from '../server/response.ts'
import type { Event, Given } from './events.ts'
import { type Applies, type Changes, type Finish, withMembers } from './wire.ts'

type Result<Hook> = Hook extends (...given: never) => infer Returned ? Returned : never

type FunctionName<Hooks> = {
  [Name in keyof Hooks & string]: Hooks[Name] extends (...given: never) => unknown ? Name : never
}[keyof Hooks & string]

function call<Hook>(hook: Hook, given: Given<Hook>): Result<Hook> {
  return Reflect.apply(hook as () => unknown, undefined, given) as Result<Hook>
}

/** Receives the correct hooks and what the server has seen so far, and returns the hooks that make it wrong. */
export type MutationOf<Hooks, Known> = (right: Hooks & { readonly known: Known }) => Partial<Hooks>

/** The mutations of an API: functions that make a server wrong in one hook. */
export function mutationsOf<Hooks extends { readonly finish: Finish }, Known extends object>() {
  type Mutation = MutationOf<Hooks, Known>
  type Right = Parameters<Mutation>[0]
  type Name = FunctionName<Hooks>

  /** A server that replaces one hook: `wrong` gets the correct hooks and the arguments of the call. */
  const instead =
    <Hook extends Name>(
      name: Hook,
      wrong: (right: Right, ...given: Given<Hooks[Hook]>) => Result<Hooks[Hook]>,
    ): Mutation =>
    (right) =>
      ({ [name]: (...given: Given<Hooks[Hook]>) => wrong(right, ...given) }) as unknown as Partial<Hooks>

  return {
    instead,
    /** Servers in which a hook returns something else. `change` gets the correct result, and the arguments. */
    result:
      <Hook extends Name>(name: Hook) =>
      (
        change: (right: Result<Hooks[Hook]>, given: Given<Hooks[Hook]>, known: Known) => Result<Hooks[Hook]>,
      ): Mutation =>
        instead(name, ({ [name]: hook, known }, ...given) => change(call(hook, given), given, known)),
    /** Servers in which a hook gets another argument, the first or that at `at`. `change` gets the correct ones. */
    argument:
      <Hook extends Name, At extends number = 0>(name: Hook, at = 0 as At) =>
      (
        change: (sent: Given<Hooks[Hook]>[At], given: Given<Hooks[Hook]>, known: Known) => Given<Hooks[Hook]>[At],
      ): Mutation =>
        instead(name, ({ [name]: hook, known }, ...given) =>
          call(hook, given.with(at, change(given[at], given, known)) as unknown as typeof given),
        ),
    /** Servers that replace, add or remove members of the object that a hook returns. */
    members:
      <Hook extends Name>(name: Hook) =>
      (changes: (...call: [...given: Given<Hooks[Hook]>, known: Known]) => Changes): Mutation =>
        instead(name, ({ [name]: hook, known }, ...given) => {
          // Before the hook, which counts in `known` what it returns.
          const changed = changes(...given, known)
          return withMembers(call(hook, given) as Json, changed) as Result<Hooks[Hook]>
        }),
    /** A server that changes the responses for which `applies` holds. */
    responds:
      (applies: Applies, change: (...call: [...given: Parameters<Finish>, right: Right]) => HttpResponse): Mutation =>
      (right) => {
        const finish: Finish = (response, request) =>
          applies(response.status, request) ? change(response, request, right) : response
        return { finish } as unknown as Partial<Hooks>
      },
    /** The event that a hook is called, optionally with arguments that match. */
    on:
      <Hook extends Name>(name: Hook, isMeant: (...given: Given<Hooks[Hook]>) => boolean = () => true): Event<Hooks> =>
      ({ [name]: hook }, happens) => {
        const notifying = (...given: Given<Hooks[Hook]>) => {
          if (isMeant(...given)) happens()
          return call(hook, given)
        }
        return { [name]: notifying } as unknown as Partial<Hooks>
      },
  }
}
