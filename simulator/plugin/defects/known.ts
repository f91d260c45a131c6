import type { IncomingHttpHeaders } from 'node:http'
import { onlyObserving } from '../../defect-parts/combine.ts'
import type { Members } from '../../server/body.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'

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
  /** The change before the last one. */
  before: undefined as ChangeName | undefined,
  /** The rule that was added last. */
  newest: undefined as Rule | undefined,
  /** The number of error responses so far. */
  rejected: 0,
  /** Of the current request. */
  request: { method: '', path: '' },
  /** Of the current request. */
  headers: {} as IncomingHttpHeaders,
  /** What was loaded from Copy_N at the last start; empty if they were not read. */
  copied: [] as RuleList,
  /** Whether a DELETE has emptied the list. */
  emptied: false,
  /** Whether any POST has found the list full. */
  wasFull: false,
  /** What the last change removed, and from where; undefined if it was an addition. */
  removal: undefined as { readonly rule: Rule | undefined; readonly position: number } | undefined,
  /** The rule that a DELETE has removed from the end of the list since the last addition. */
  removedLast: undefined as Rule | undefined,
  /** The members of each POST whose body was a JSON object. */
  sent: [] as readonly Members[],
  /** The correct key; empty before the first comparison. */
  key: '',
  /** The rules that were added through the API, in their order. */
  added: new Set() as ReadonlySet<Rule>,
  /** The rules that were removed, in their order. */
  removed: [] as RuleList,
  /** The number of requests for the list, including the current one. */
  lists: 0,
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
}

/**
 * What a server with a defect has seen so far, one for each simulator. A hook that changes the list is counted once the
 * correct hook has returned.
 */
export type Known = Readonly<typeof nothing>

/** Returns the hooks that a defect replaces, given the correct ones and what the server has seen. */
export type Wrong = (hooks: Hooks, known: Known) => Partial<Hooks>

/** An override that can read what the server has seen. */
export function withKnown(wrong: Wrong): Override {
  return (hooks) => {
    const { seeing, known } = observe(hooks)
    return { ...seeing, ...wrong({ ...hooks, ...seeing }, known) }
  }
}

/** Wraps some hooks to observe them, without changing what they do. */
export function observe(hooks: Hooks) {
  const known: Known = { ...nothing }
  const see = (seen: Partial<Known>) => Object.assign(known, seen)
  const listIs = (rules: RuleList) => see({ rules, most: Math.max(known.most, rules.length) })
  const changed = (change: ChangeName, rules: RuleList) => {
    see({ changes: known.changes + 1, sinceStart: known.sinceStart + 1, before: known.change, change })
    listIs(rules)
  }
  const sent: Members[] = []
  const added = new Set<Rule>()
  see({ sent, added })
  const seeing = onlyObserving({
    chooseSource(fileExists, parameters) {
      see({ foundFile: fileExists, loaded: [], copied: [], sinceStart: 0 })
      return hooks.chooseSource(fileExists, parameters)
    },
    decodeFile(bytes) {
      const rules = hooks.decodeFile(bytes)
      see({ loaded: rules })
      listIs(rules)
      return rules
    },
    joinCopies(copies) {
      const rules = hooks.joinCopies(copies)
      see({ copied: rules })
      listIs(rules)
      return rules
    },
    asksForKey(request) {
      see({ request })
      return hooks.asksForKey(request)
    },
    readApiKeyHeader(headers) {
      see({ headers })
      return hooks.readApiKeyHeader(headers)
    },
    sameKey(given, key) {
      see({ key })
      return hooks.sameKey(given, key)
    },
    membersOf(value) {
      const members = hooks.membersOf(value)
      sent.push(members)
      see({ members })
      return members
    },
    stripByteOrderMark(text) {
      see({ text: hooks.stripByteOrderMark(text) })
      return known.text
    },
    writtenList(cached, write) {
      see({ lists: known.lists + 1 })
      return hooks.writtenList(cached, write)
    },
    isFull(rules, capacity) {
      const isFull = hooks.isFull(rules, capacity)
      see({ capacity, isFull, wasFull: known.wasFull || isFull })
      return isFull
    },
    addRule(rules, rule) {
      const result = hooks.addRule(rules, rule)
      added.add(rule)
      see({ newest: rule, removal: undefined, removedLast: undefined })
      changed('add-rule', result.rules)
      return result
    },
    removeRule(rules, position) {
      const left = hooks.removeRule(rules, position)
      see({
        removal: { rule: arrayOf(rules)[position], position },
        removed: [...known.removed, ...rules.slice(position, position + 1)],
        removedLast: position === rules.length - 1 ? rules.at(-1) : known.removedLast,
        emptied: known.emptied || left.length === 0,
      })
      changed('remove-rule', left)
      return left
    },
    splitTarget(target) {
      see({ target })
      return hooks.splitTarget(target)
    },
    finish(response, request) {
      see({ status: response.status })
      return hooks.finish(response, request)
    },
    errorBody(message, status) {
      see({ rejected: known.rejected + 1 })
      return hooks.errorBody(message, status)
    },
  } satisfies Partial<Hooks>)
  return { seeing, known }
}
