import type { IncomingHttpHeaders } from 'node:http'
import type { Members } from '../../server/body.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import type { ChangeName } from '../hooks/saving.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'

/**
 * What a server with a defect has seen so far; one for each simulator. A hook sees what is known when it is called: one
 * that changes the list is counted once the right hook has returned.
 */
export interface Known {
  /** The list after the last change, or after the start. */
  readonly rules: RuleList
  /** The longest list so far. */
  readonly most: number
  /** What was loaded from the file at the last start; empty where there was none. */
  readonly loaded: RuleList
  /** Whether there was a rules file at the last start. */
  readonly foundFile: boolean
  /** Infinite before the first POST. */
  readonly capacity: number
  /** Whether the last POST found the list full. */
  readonly isFull: boolean
  /** The number of changes so far. */
  readonly changes: number
  readonly change: ChangeName | undefined
  /** The change before the last one. */
  readonly before: ChangeName | undefined
  /** The rule that was added last. */
  readonly newest: Rule | undefined
  /** The number of error responses so far. */
  readonly rejected: number
  /** Of the request at hand. */
  readonly request: { readonly method: string; readonly path: string }
  /** Of the request at hand. */
  readonly headers: IncomingHttpHeaders
  /** What was loaded from Copy_N at the last start; empty where they were not read. */
  readonly copied: RuleList
  /** Whether a DELETE has left an empty list. */
  readonly emptied: boolean
  /** Whether some POST has found the list full. */
  readonly wasFull: boolean
  /** What the last change has removed, and from where; undefined where it was an addition. */
  readonly removal: { readonly rule: Rule | undefined; readonly position: number } | undefined
  /** The members of each POST whose body was a JSON object. */
  readonly sent: readonly Members[]
  /** The right key; empty before the first comparison. */
  readonly key: string
  /** The rules that were added through the API, in their order. */
  readonly added: ReadonlySet<Rule>
  /** The rules that were removed, in their order. */
  readonly removed: RuleList
  /** The number of GETs of the list, with the one at hand. */
  readonly lists: number
  /** The body of the last POST. */
  readonly text: string
  /** The members of the last body that was valid JSON. */
  readonly members: Members
}

/** What a defect does in place of some hooks, given the right ones and what the server has seen. */
export type Wrong = (hooks: Hooks, known: Known) => Partial<Hooks>

const nothing: Known = {
  rules: [],
  most: 0,
  loaded: [],
  foundFile: false,
  capacity: Number.POSITIVE_INFINITY,
  isFull: false,
  changes: 0,
  change: undefined,
  before: undefined,
  newest: undefined,
  rejected: 0,
  request: { method: '', path: '' },
  headers: {},
  copied: [],
  emptied: false,
  wasFull: false,
  removal: undefined,
  sent: [],
  key: '',
  added: new Set(),
  removed: [],
  lists: 0,
  text: '',
  members: {},
}

/** An override that knows what the server has seen. */
export function knowing(wrong: Wrong): Override {
  return (hooks) => {
    const { seeing, known } = observe(hooks)
    return { ...seeing, ...wrong({ ...hooks, ...seeing }, known) }
  }
}

/** Some hooks that do the same and observe it, and what they have seen. */
export function observe(hooks: Hooks) {
  const known: Known = { ...nothing }
  const see = (seen: Partial<Known>) => Object.assign(known, seen)
  const listIs = (rules: RuleList) => see({ rules, most: Math.max(known.most, rules.length) })
  const changed = (change: ChangeName, rules: RuleList) => {
    see({ changes: known.changes + 1, before: known.change, change })
    listIs(rules)
  }
  const sent: Members[] = []
  const added = new Set<Rule>()
  see({ sent, added })
  const seeing = {
    chooseSource(fileExists) {
      see({ foundFile: fileExists, loaded: [], copied: [] })
      return hooks.chooseSource(fileExists)
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
      see({ newest: rule, removal: undefined })
      changed('add-rule', result.rules)
      return result
    },
    removeRule(rules, position) {
      const left = hooks.removeRule(rules, position)
      see({
        removal: { rule: rules[position], position },
        removed: [...known.removed, ...rules.slice(position, position + 1)],
        emptied: known.emptied || left.length === 0,
      })
      changed('remove-rule', left)
      return left
    },
    errorBody(message, status) {
      see({ rejected: known.rejected + 1 })
      return hooks.errorBody(message, status)
    },
  } satisfies Partial<Hooks>
  return { seeing, known }
}

/** An override that is made of what the server has seen. It asks when a hook is called, not when it is made. */
export function given(make: (known: Known) => Override): Override {
  return knowing((hooks, known) => make(known)(hooks))
}
