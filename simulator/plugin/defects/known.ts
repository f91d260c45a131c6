import type { IncomingHttpHeaders } from 'node:http'
import { observing } from '../../defect-parts/combine.ts'
import type { MutationOf } from '../../defect-parts/mutations.ts'
import type { Members } from '../../server/json.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import type { Parameters } from '../store/copy-parameters.ts'

/** What a change did to the list. */
interface Change {
  readonly name: ChangeName
  /** The rule that was added or removed; undefined if a position without a rule was removed. */
  readonly rule: Rule | undefined
  readonly position: number
  /** Whether that is, or was, the position of the last rule. */
  readonly isLast: boolean
  /** Whether the last POST before it found the list full. */
  readonly wasFull: boolean
  /** The list after it. */
  readonly rules: RuleList
}

/** The state before a start. */
const nothing = {
  /** The list after the last change, or after the start. */
  rules: [] as RuleList,
  /** The longest list so far. */
  most: 0,
  /** What was loaded from the file at the last start; empty if there was none. */
  loaded: [] as RuleList,
  /** Whether there was a rules file at the last start. */
  foundFile: false,
  /** Infinite before the first POST. */
  capacity: Number.POSITIVE_INFINITY,
  /** Whether the last POST found the list full. */
  isFull: false,
  changes: [] as readonly Change[],
  /** The last change. */
  change: undefined as ChangeName | undefined,
  /** The rule that was added last. */
  newest: undefined as Rule | undefined,
  /** The number of error responses so far. */
  rejected: 0,
  /** Of the current request. */
  request: { method: '', path: '' },
  /** Of the current request. */
  headers: {} as IncomingHttpHeaders,
  /** Whether a correct server accepts the keys of the current request. */
  isAuthorized: false,
  /** What was loaded from Copy_N at the last start; empty if they were not read. */
  copied: [] as RuleList,
  /** The parameters at the first start with the rules file. */
  first: undefined as Parameters | undefined,
  /** The parameters at the last start. */
  parameters: { API_Key: '' } as Parameters,
  /** Whether a DELETE has emptied the list. */
  emptied: false,
  /** Whether any POST has found the list full. */
  wasFull: false,
  /** The last change if it was a removal. */
  removal: undefined as Change | undefined,
  /** The members of each POST whose body was a JSON object. */
  sent: [] as readonly Members[],
  /** The correct key; empty before the first comparison. */
  key: '',
  /** The rules that were added through the API, in their order. */
  added: new Set() as ReadonlySet<Rule>,
  /** The rules that were sent with the mode `multiplier`. */
  aliased: [] as RuleList,
  /** The rules that were removed, in their order. */
  removed: [] as RuleList,
  /** How many times the list was returned. */
  lists: 0,
  /** The length of the list that was last written; undefined before the first. */
  lastTotal: undefined as number | undefined,
  /** The list when it was last returned, added to or loaded. */
  listed: [] as RuleList,
  /** The body of the last POST. */
  text: '',
  /** The members of that body; empty if it is not a JSON object. */
  members: {} as Members,
  /** Path and query of the current request, as sent. */
  target: '',
  /** The status of the last response; 0 before the first. */
  status: 0,
}

/** What a server with a defect has seen since its last start. A hook is counted once it has returned. */
export type Known = Readonly<typeof nothing> & {
  /** The same at the end of each earlier start with the rules file, also of another simulator. */
  readonly earlier: readonly Known[]
}

export type Mutation = MutationOf<Hooks, Known>

/** The correct hooks, and what the server has seen so far. */
export type Right = Hooks & { readonly known: Known }

/** Wraps some hooks to observe them, without changing what they do. */
export function observe(hooks: Hooks, before?: Known) {
  const known: Known = { ...nothing, earlier: before === undefined ? [] : [...before.earlier, before] }
  const listIs = (rules: RuleList) => ({ rules, most: Math.max(known.most, rules.length) })
  const changed = (name: ChangeName, last: Pick<Change, 'rule' | 'position' | 'isLast' | 'rules'>) => {
    const change = { name, ...last, wasFull: known.isFull }
    const removal = name === 'remove-rule' ? change : undefined
    return { changes: [...known.changes, change], change: name, removal, ...listIs(last.rules) }
  }
  const seeing = observing(hooks, known, {
    chooseSource: (_, foundFile, parameters) => {
      const earlier = known.first === undefined ? known.earlier : [...known.earlier, { ...known }]
      return { ...nothing, earlier, first: earlier.at(-1)?.first ?? parameters, foundFile, parameters }
    },
    decodeFile: (rules) => ({ loaded: rules, listed: rules, ...listIs(rules) }),
    joinCopies: (rules) => ({ copied: rules, listed: rules, ...listIs(rules) }),
    splitTarget: (_, target) => ({ target }),
    asksForKey: (_, request) => ({ request, headers: request.headers }),
    acceptsCredentials: (isAuthorized) => ({ isAuthorized }),
    sameKey: (_same, _given, key) => ({ key }),
    stripByteOrderMark: (text) => ({ text, members: {} }),
    membersOf: (members) => ({ members, sent: [...known.sent, members] }),
    isFull: (isFull, _, capacity) => ({ capacity, isFull, wasFull: known.wasFull || isFull }),
    addRule: ({ rules, position }, _, rule) => ({
      ...changed('add-rule', { rule, position, isLast: position === rules.length - 1, rules }),
      newest: rule,
      listed: rules,
      added: new Set([...known.added, rule]),
      aliased: known.members.mode === 'multiplier' ? [...known.aliased, rule] : known.aliased,
    }),
    removeRule: (left, rules, position) => {
      const rule = arrayOf(rules)[position]
      return {
        ...changed('remove-rule', { rule, position, isLast: position === rules.length - 1, rules: left }),
        removed: rule === undefined ? known.removed : [...known.removed, rule],
        emptied: known.emptied || left.length === 0,
      }
    },
    writtenList: () => ({ lists: known.lists + 1, listed: known.rules }),
    listBody: (_, { length }) => ({ lastTotal: length }),
    errorBody: () => ({ rejected: known.rejected + 1 }),
    finish: (_, { status }) => ({ status }),
  })
  return { seeing, known }
}
