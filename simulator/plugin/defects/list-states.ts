import { withMembers, withoutMember } from '../../defect-parts/wire.ts'
import { Dropped } from '../../server/error-response.ts'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { countedFromOne } from './masks.ts'
import { knowingLoadedRules, listsRule, readsIndexLike, returnsList } from './overrides.ts'
import { type State, states, whileIn } from './states.ts'

const breaks: Defect['breaks'] = ['plugin.sequence.states']

/** The defects that also exist in one state of the list only, each where the other states do not show it. */
const inState: Readonly<Record<State, readonly string[]>> = {
  empty: [
    'add.index-is-total',
    'add.knows-no-multiplier',
    'add.answer-logins-as-text',
    'add.missing-direction-is-same',
    'key.add-open',
    'status.rules-loaded-as-text',
    'error.404-of-index-is-empty',
  ],
  single: [
    'list.total-as-text',
    'delete.answers-204',
    'delete.success-as-number',
    'key.delete-open',
    'add.new-value-for-the-rule-before',
    'delete.index-past-end-is-the-last',
  ],
  many: [
    'add.index-as-text',
    'delete.removes-the-next',
    'delete.moves-last-into-hole',
    'list.total-is-last-index',
    'add.unlisted-mode-is-mult',
  ],
  emptied: [
    'list.empty-is-null',
    'add.answer-swaps-logins',
    'rule.added-direction-in-capitals',
    'error.400-in-an-array',
    'status.answers-203',
  ],
  loaded: [
    'rule.mode-as-number',
    'delete.moves-last-into-hole',
    'add.at-start-with-index-of-end',
    'add.unlisted-mode-is-mult',
    'key.list-open',
    'method.put-adds',
    'error.405-without-body',
    'delete.indices-never-shift',
  ],
  copied: ['delete.answers-202', 'add.index-counts-additions'],
  rejecting: ['add.success-as-text', 'rule.added-master-as-text', 'status.plugin-called-name'],
}

/** A list whose text is cut off at this length. */
function cutAt(kib: number): Defect {
  return {
    id: `list.cut-at-${kib}-kib`,
    breaks,
    summary: `GET /api/rules shows only the rules that fit into ${kib} KiB, with the correct total.`,
    override: ({ listBody, encodeJson }) => ({
      listBody: (rules) => {
        let length = 0
        const fitting = rules.filter((rule) => {
          length += encodeJson(rule).length + 1
          return length <= kib * 1024
        })
        return withMembers(listBody(rules), { rules: fitting })
      },
    }),
  }
}

/** Faults that show only in some states of the list. `others` are the defects that show in any. */
export function listStateDefects(others: readonly Defect[]): readonly Defect[] {
  const inStates = Object.entries(inState).flatMap(([state, ids]) =>
    ids.map((id): Defect => {
      const defect = others.find((other) => other.id === id)
      if (defect === undefined) throw new Error(`there is no defect ${id}`)
      const { when } = states[state as State]
      const summary = `Only when ${when}: ${defect.summary}`
      return { id: `${id}.${state}`, breaks, summary, override: whileIn(state as State, defect.override) }
    }),
  )
  return [...inStates, ...[4, 64].map(cutAt), ...sizeDefects]
}

const sizeDefects: readonly Defect[] = [
  {
    id: 'list.above-64-kib-drops-connection',
    breaks,
    summary: 'A request for a list of more than 64 KiB gets no response: the connection is closed.',
    override: ({ writtenList }) => ({
      writtenList: (cached, write) => {
        const list = writtenList(cached, write)
        if (list.length > 64 * 1024) throw new Dropped()
        return list
      },
    }),
  },
  {
    id: 'list.loaded-value-as-text',
    breaks,
    summary: 'The value of a rule that was loaded from the file is listed as text.',
    override: knowingLoadedRules((hooks, loaded) =>
      listsRule((rule) => (loaded().includes(rule) ? { value: String(rule.value) } : {}))(hooks),
    ),
  },
  {
    id: 'list.only-rule-not-in-an-array',
    breaks,
    summary: 'rules is the rule itself, not an array, if the list holds exactly one rule.',
    override: returnsList((rules) => (rules[0] !== undefined && rules.length === 1 ? { rules: rules[0] } : {})),
  },
  {
    id: 'list.total-in-8-bits',
    breaks,
    summary: 'total is counted in 8 bits.',
    override: returnsList((rules) => ({ total: rules.length % 256 })),
  },
  {
    id: 'list.index-in-8-bits',
    breaks,
    summary: 'The listed index is counted in 8 bits.',
    override: listsRule((_, index) => ({ index: index % 256 })),
  },
  {
    id: 'add.index-in-8-bits',
    breaks,
    maskedBy: [{ answers: { 'plugin.add.position': 'start' } }],
    summary: 'The returned index is counted in 8 bits.',
    override: ({ reportedIndex }) => ({ reportedIndex: (position, total) => reportedIndex(position, total) % 256 }),
  },
  {
    id: 'delete.three-digits-are-too-many',
    breaks,
    summary: 'DELETE with an index of three digits returns 404.',
    override: readsIndexLike(/^\d{3}$/, () => undefined),
  },
  {
    id: 'add.index-zero-left-out',
    breaks,
    maskedBy: countedFromOne,
    summary: 'The response to a POST omits the index 0, as by serializers that drop zero values.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) =>
        index === 0 ? withoutMember(addedBody(rule, index), 'index') : addedBody(rule, index),
    }),
  },
  {
    id: 'add.error-of-value-zero-sent-with-200',
    breaks,
    summary: 'A POST with value 0 returns its error with status 200.',
    override: ({ readValue }) => {
      let isZero = false
      return {
        readValue: (value) => {
          isZero = String(value) === '0'
          return readValue(value)
        },
        finish: (response, { method }) =>
          method === 'POST' && response.status === 400 && isZero ? { ...response, status: 200 } : response,
      }
    },
  },
  {
    id: 'add.index-as-before-removal-of-the-first',
    breaks,
    summary: 'After DELETE of the first of several rules, the next POST returns an index that is one too large.',
    override: ({ addRule, removeRule, reportedIndex }) => {
      let isShifted = false
      let excess = 0
      return {
        removeRule: (rules, position) => {
          isShifted = position === 0 && rules.length > 1
          return removeRule(rules, position)
        },
        addRule: (rules, rule) => {
          excess = isShifted ? 1 : 0
          isShifted = false
          return addRule(rules, rule)
        },
        reportedIndex: (position, total) => reportedIndex(position + excess, total),
      }
    },
  },
  {
    id: 'add.index-of-removed-last-rule-skipped',
    breaks,
    maskedBy: [{ answers: { 'plugin.add.position': 'start' } }],
    summary: 'After DELETE of the last rule, the next one gets an index that is one too large, and keeps it.',
    override: ({ addRule, removeRule, holdsPosition, ruleBody, reportedIndex }) => {
      let isSkipped = false
      let late: Rule | undefined
      return {
        removeRule: (rules, position) => {
          isSkipped = position >= rules.length - 1
          return removeRule(rules, Math.min(position, rules.length - 1))
        },
        addRule: (rules, rule) => {
          const addition = addRule(rules, rule)
          late = isSkipped && addition.position === rules.length ? rule : undefined
          isSkipped = false
          return addition
        },
        holdsPosition: (rules, position) =>
          holdsPosition(rules, position) || (position === rules.length && position > 0 && rules.at(-1) === late),
        ruleBody: (rule, index) => ruleBody(rule, index + (rule === late ? 1 : 0)),
        reportedIndex: (position, total) => reportedIndex(position + (late === undefined ? 0 : 1), total),
      }
    },
  },
  {
    id: 'delete.only-rule-kept',
    breaks,
    summary: 'DELETE of the only rule returns 200 and removes nothing.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => (rules.length === 1 ? rules : removeRule(rules, position)),
    }),
  },
]
