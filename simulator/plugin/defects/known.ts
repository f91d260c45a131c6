import type { IncomingHttpHeaders } from 'node:http'
import { observing } from '../../defect-parts/combine.ts'
import type { MutationOf } from '../../defect-parts/mutations.ts'
import type { Members } from '../../server/json.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import type { Parameters } from '../store/copy-parameters.ts'

/** What outlives a restart, also as another simulator with the same file. */
const nothingEarlier = {
  /** The parameters when Copy_N were first read. */
  first: undefined as Parameters | undefined,
  /** What was last loaded from the file. */
  backup: undefined as RuleList | undefined,
  /** The contents of the rules that were sent with the mode `multiplier`. */
  everAliased: [] as readonly string[],
  /** The list after the last change. */
  saved: undefined as RuleList | undefined,
  /** The list after the change before the last one. */
  previous: undefined as RuleList | undefined,
  /** Whether a start with a file had no key, and nothing was changed since. */
  keyWasMissing: false,
}

const earlier = new WeakMap<object, Partial<typeof nothingEarlier>>()

/** The state before the first request. */
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
  /** The number of changes so far. */
  changes: 0,
  change: undefined as ChangeName | undefined,
  before: undefined as ChangeName | undefined,
  /** Whether a POST has found the list full since the last addition. */
  fullSinceAddition: false,
  /** The position at which the first rule was added. */
  firstPosition: undefined as number | undefined,
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
  /** The parameters at the last start. */
  parameters: { API_Key: '' } as Parameters,
  /** Whether a DELETE has emptied the list. */
  emptied: false,
  /** Whether any POST has found the list full. */
  wasFull: false,
  /** What the last change removed, and from where; undefined if it was an addition. */
  removal: undefined as
    | { readonly rule: Rule | undefined; readonly position: number; readonly isLast: boolean }
    | undefined,
  /** The rule that a DELETE has removed from the end of the list since the last addition. */
  removedLast: undefined as Rule | undefined,
  /** The rule that was last removed from the middle of the list; empty if none was. */
  removedFromMiddle: [] as RuleList,
  /** The members of each POST whose body was a JSON object. */
  sent: [] as readonly Members[],
  /** The correct key; empty before the first comparison. */
  key: '',
  /** The rules that were added through the API, in their order. */
  added: new Set() as ReadonlySet<Rule>,
  /** The rules that were sent with the mode `multiplier`. */
  aliased: new Set() as ReadonlySet<Rule>,
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
  /** The members of the last body that was valid JSON. */
  members: {} as Members,
  /** The number of changes since the last start. */
  sinceStart: 0,
  /** Path and query of the current request, as sent. */
  target: '',
  /** The status of the last response; 0 before the first. */
  status: 0,
  ...nothingEarlier,
}

/** What a server with a defect has seen so far, one for each simulator. A hook is counted once it has returned. */
export type Known = Readonly<typeof nothing>

export type Mutation = MutationOf<Hooks, Known>

/** The correct hooks, and what the server has seen so far. */
export type Right = Hooks & { readonly known: Known }

/** The fields of a rule as text: equal for a rule that was saved and loaded again. */
export const contentOf = (rule: Rule) => Object.values(rule).join(' ')

/** Wraps some hooks to observe them, without changing what they do. The rules file identifies a server. */
export function observe(hooks: Hooks, rulesFile: object = hooks) {
  const outlives = (facts: Partial<typeof nothingEarlier>) => {
    earlier.set(rulesFile, { ...earlier.get(rulesFile), ...facts })
    return facts
  }
  const known: Known = { ...nothing, ...earlier.get(rulesFile) }
  const listIs = (rules: RuleList) => ({ rules, most: Math.max(known.most, rules.length) })
  const changed = (change: ChangeName, rules: RuleList) => ({
    changes: known.changes + 1,
    sinceStart: known.sinceStart + 1,
    before: known.change,
    change,
    ...listIs(rules),
    ...outlives({ saved: rules, previous: known.saved, keyWasMissing: false }),
  })
  const seeing = observing(hooks, known, {
    chooseSource: (_, foundFile, parameters) => ({
      ...{ foundFile, parameters, loaded: [], copied: [], sinceStart: 0 },
      ...outlives({ keyWasMissing: known.keyWasMissing || (foundFile && !parameters.API_Key) }),
    }),
    decodeFile: (rules) => ({ loaded: rules, listed: rules, ...listIs(rules), ...outlives({ backup: rules }) }),
    findCopies: (_, parameters) => outlives({ first: known.first ?? parameters }),
    joinCopies: (rules) => ({ copied: rules, listed: rules, ...listIs(rules) }),
    splitTarget: (_, target) => ({ target }),
    asksForKey: (_, request) => ({ request, headers: request.headers }),
    acceptsCredentials: (isAuthorized) => ({ isAuthorized }),
    sameKey: (_same, _given, key) => ({ key }),
    stripByteOrderMark: (text) => ({ text }),
    membersOf: (members) => ({ members, sent: [...known.sent, members] }),
    isFull: (isFull, _, capacity) => ({
      capacity,
      isFull,
      wasFull: known.wasFull || isFull,
      fullSinceAddition: known.fullSinceAddition || isFull,
    }),
    addRule: ({ rules, position }, _, rule) => ({
      ...changed('add-rule', rules),
      firstPosition: known.firstPosition ?? position,
      fullSinceAddition: false,
      newest: rule,
      listed: rules,
      added: new Set([...known.added, rule]),
      ...(known.members.mode === 'multiplier' && {
        aliased: new Set([...known.aliased, rule]),
        ...outlives({ everAliased: [...known.everAliased, contentOf(rule)] }),
      }),
      removal: undefined,
      removedLast: undefined,
    }),
    removeRule: (left, rules, position) => ({
      ...changed('remove-rule', left),
      removal: { rule: arrayOf(rules)[position], position, isLast: position === rules.length - 1 },
      removed: [...known.removed, ...rules.slice(position, position + 1)],
      removedLast: position === rules.length - 1 ? rules.at(-1) : known.removedLast,
      removedFromMiddle:
        position > 0 && position < rules.length - 1 ? rules.slice(position, position + 1) : known.removedFromMiddle,
      emptied: known.emptied || left.length === 0,
    }),
    writtenList: () => ({ lists: known.lists + 1, listed: known.rules }),
    listBody: (_, { length }) => ({ lastTotal: length }),
    errorBody: () => ({ rejected: known.rejected + 1 }),
    finish: (_, { status }) => ({ status }),
  })
  return { seeing, known }
}
