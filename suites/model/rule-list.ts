import type { Operation, SequentialModel } from './linearizable.ts'

// The list as the specification defines it, independent of the simulator, so that both cannot share a mistake.

/** The content of a rule, which identifies it: its `contentLine`. */
export type RuleName = string

export type ListState = readonly RuleName[]

/** The implementation choices of a server: the index of the first rule, and where it inserts new ones. */
export interface Choices {
  readonly base: number
  readonly placement: 'start' | 'end' | 'anywhere'
}

/** A request to the list and its response. `absent` stands for 404: no rule has this index. */
export type Call =
  | { readonly kind: 'add'; readonly rule: RuleName; readonly response: Added | Rejected | null }
  | { readonly kind: 'remove'; readonly index: number; readonly response: Removed | Rejected | null }
  | { readonly kind: 'list'; readonly response: Listed | Rejected | null }

type Added = { readonly says: 'added'; readonly index: number }
type Removed = { readonly says: 'removed' | 'absent' }
export type Listed = { readonly says: 'listed'; readonly rules: readonly ListedRule[] }
type ListedRule = { readonly index: number; readonly rule: RuleName }
/** Any other error response; it must have changed nothing. */
type Rejected = { readonly says: 'refused'; readonly status: number }

/** A request in a history, with its client. */
export type ListOperation = Operation & Call & { readonly client: string }

/** The model of a server with these choices that processes one request after the other. */
export function listModel(choices: Choices): SequentialModel<ListState, ListOperation> {
  return {
    key: (state) => state.join('\n'),
    step(state, operation) {
      // A response that had not arrived yet shows nothing.
      const call = operation.answeredAt === Number.POSITIVE_INFINITY ? { ...operation, response: null } : operation
      if (call.response?.says === 'refused') return [state]
      if (call.kind === 'add') return afterAdd(state, call, choices)
      if (call.kind === 'remove') return afterRemove(state, call, choices)
      return call.response === null || shows(call.response as Listed, state, choices) ? [state] : []
    },
  }
}

function afterAdd(state: ListState, { rule, response }: Extract<Call, { kind: 'add' }>, choices: Choices) {
  const { base, placement } = choices
  const places = { start: [0], end: [state.length], anywhere: Array.from({ length: state.length + 1 }, (_, at) => at) }
  return places[placement]
    .filter((position) => response?.says !== 'added' || response.index === base + position)
    .map((position) => state.toSpliced(position, 0, rule))
}

function afterRemove(state: ListState, { index, response }: Extract<Call, { kind: 'remove' }>, { base }: Choices) {
  const position = index - base
  const exists = position >= 0 && position < state.length
  if (response?.says === 'absent') return exists ? [] : [state]
  // Later rules move up by one (clause 4.2 rule 2).
  if (exists) return [state.toSpliced(position, 1)]
  return response === null ? [state] : []
}

function shows({ rules }: Listed, state: ListState, { base }: Choices): boolean {
  return (
    rules.length === state.length &&
    rules.every(({ index, rule }, position) => index === base + position && rule === state[position])
  )
}
