import type { Hooks, Override } from '../hooks/hooks.ts'

/** What a server knows of its list, and of what came before a request. */
interface Known {
  /** The number of rules. */
  readonly size: number
  readonly from: 'nothing' | 'file' | 'parameters'
  /** The list held rules, and the last one was removed. */
  readonly emptied: boolean
  /** A request before this one was rejected. */
  readonly rejected: boolean
}

/** The states in which a server may be wrong although it is right in all others. */
export const states = {
  empty: { when: 'the list is empty', holds: ({ size }) => size === 0 },
  single: { when: 'the list holds one rule', holds: ({ size }) => size === 1 },
  many: { when: 'the list holds a hundred rules or more', holds: ({ size }) => size >= 100 },
  emptied: { when: 'the last rule of the list was removed before', holds: ({ emptied }) => emptied },
  loaded: { when: 'the list was loaded from the file', holds: ({ from }) => from === 'file' },
  copied: { when: 'the list was loaded from Copy_N', holds: ({ from }) => from === 'parameters' },
  rejecting: { when: 'a request was rejected before', holds: ({ rejected }) => rejected },
} as const satisfies Record<string, { readonly when: string; readonly holds: (known: Known) => boolean }>

export type State = keyof typeof states

/** A server that is wrong only in requests that find the list in this state. */
export function whileIn(state: State, override: Override): Override {
  return (hooks, rulesFile) => {
    let known: Known = { size: 0, from: 'nothing', emptied: false, rejected: false }
    let isIn = false
    const wrong = Object.entries(override(hooks, rulesFile)).map(([name, hook]) => {
      const right: unknown = hooks[name as keyof Hooks]
      if (!(hook instanceof Function && right instanceof Function)) return [name, right]
      return [name, (...given: readonly unknown[]) => Reflect.apply(isIn ? hook : right, undefined, given)]
    })
    const server: Hooks = { ...hooks, ...Object.fromEntries(wrong) }
    return {
      ...server,
      decodeFile: (bytes) => {
        const rules = server.decodeFile(bytes)
        known = { ...known, size: rules.length, from: 'file' }
        return rules
      },
      joinCopies: (copies) => {
        const rules = server.joinCopies(copies)
        known = { ...known, size: rules.length, from: rules.length > 0 ? 'parameters' : 'nothing' }
        return rules
      },
      asksForKey: (request) => {
        isIn = states[state].holds(known)
        return server.asksForKey(request)
      },
      addRule: (rules, rule) => {
        const added = server.addRule(rules, rule)
        known = { ...known, size: added.rules.length }
        return added
      },
      removeRule: (rules, position) => {
        const left = server.removeRule(rules, position)
        known = { ...known, size: left.length, emptied: known.emptied || left.length === 0 }
        return left
      },
      errorBody: (message, status) => {
        known = { ...known, rejected: true }
        return server.errorBody(message, status)
      },
    }
  }
}
