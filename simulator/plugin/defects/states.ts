import { whenever } from '../../defect-parts/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Known, observe } from './known.ts'

/** States of the list, to which a defect can be limited. */
export const states = {
  empty: { when: 'the list is empty', holds: ({ rules }) => rules.length === 0 },
  fresh: { when: 'the list has never held a rule', holds: ({ most, foundFile }) => most === 0 && !foundFile },
  single: { when: 'the list holds one rule', holds: ({ rules }) => rules.length === 1 },
  many: { when: 'the list holds a hundred rules or more', holds: ({ rules }) => rules.length >= 100 },
  emptied: { when: 'the last rule of the list was removed before', holds: ({ emptied }) => emptied },
  loaded: { when: 'the list was loaded from the file', holds: ({ foundFile }) => foundFile },
  'loaded-empty': {
    when: 'the list was loaded from an empty rules file',
    holds: ({ foundFile, loaded }) => foundFile && loaded.length === 0,
  },
  copied: { when: 'the list was loaded from Copy_N', holds: ({ copied }) => copied.length > 0 },
  rejecting: { when: 'a request was rejected before', holds: ({ rejected }) => rejected > 0 },
} as const satisfies Record<string, { readonly when: string; readonly holds: (known: Known) => boolean }>

export type State = keyof typeof states

/** A server that is wrong only in requests that find the list in this state. */
export function whileIn<Given extends Hooks>(
  state: State,
  override: (hooks: Given, rulesFile?: object) => Partial<Hooks>,
): (hooks: Given, rulesFile?: object) => Partial<Hooks> {
  return (hooks, rulesFile) => {
    let isIn = false
    // Changes that the wrong hooks make to the list count too.
    const changed = whenever<Hooks>(hooks, override(hooks, rulesFile), () => isIn)
    const { seeing, known } = observe({ ...hooks, ...changed })
    const { asksForKey } = { ...hooks, ...changed, ...seeing }
    return {
      ...changed,
      ...seeing,
      asksForKey: (request) => {
        isIn = states[state].holds(known)
        return asksForKey(request)
      },
    }
  }
}
