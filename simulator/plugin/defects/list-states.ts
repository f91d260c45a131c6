import { drop, is, withMembers, withStatus } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Mutation } from './known.ts'
import { countedFromOne } from './masks.ts'
import {
  holds,
  instead,
  leaves,
  listsAtMost,
  listsRule,
  loads,
  readsIndexLike,
  reportsIndex,
  responds,
  result,
  returnsAdded,
  returnsList,
  returnsStatus,
} from './overrides.ts'
import { type State, states, whileIn } from './states.ts'

const breaks: Defect['breaks'] = ['plugin.sequence.states']

/** Defects that also exist limited to one state of the list, where tests of other states do not detect them. */
const inStates: readonly `${string}.${State}`[] = [
  'add.returned-index-is-total.empty',
  'add.multiplier-rejected.empty',
  'add.missing-direction-is-same.empty',
  'key.post-needs-no-key.empty',
  'status.rules-loaded-as-string.empty',
  'error.404-of-index-is-empty.empty',
  'add.missing-direction-is-same.fresh',
  'list.total-as-string.single',
  'delete.returns-204.single',
  'delete.success-as-number.single',
  'key.delete-needs-no-key.single',
  'add.halves-previous-value.single',
  'delete.index-past-end-removes-last.single',
  'add.index-as-string.many',
  'delete.removes-the-next.many',
  'delete.moves-last-into-gap.many',
  'list.total-is-last-index.many',
  'add.unlisted-mode-is-mult.many',
  'list.empty-is-null.emptied',
  'delete.returns-204.emptied',
  'add.response-swaps-logins.emptied',
  'rule.added-direction-in-upper-case.emptied',
  'error.400-in-an-array.emptied',
  'status.returns-203.emptied',
  'rule.mode-as-number.loaded',
  'delete.moves-last-into-gap.loaded',
  'add.inserted-first-with-last-index.loaded',
  'add.unlisted-mode-is-mult.loaded',
  'key.list-needs-no-key.loaded',
  'method.put-adds.loaded',
  'error.405-without-body.loaded',
  'delete.indices-never-shift.loaded',
  'unrequested.404-of-unknown-path-adds.loaded',
  'add.returned-index-is-total.loaded-empty',
  'list.total-as-string.loaded-empty',
  'list.empty-is-null.loaded-empty',
  'delete.returns-202.copied',
  'add.returned-index-counts-additions.copied',
  'add.success-as-string.rejecting',
  'rule.added-master-as-string.rejecting',
  'status.plugin-named-name.rejecting',
]

/** A server whose list shows only the rules that fit into this many KiB. */
function truncatesAt(kib: number): Mutation {
  return instead('listBody', ({ listBody, encodeJson }, rules) => {
    let length = 0
    const fitting = rules.filter((rule) => {
      length += encodeJson(rule).length + 1
      return length <= kib * 1024
    })
    return withMembers(listBody(rules), { rules: fitting })
  })
}

/** Defects that show only in some states of the list. `others` are those that show in any. */
export function listStateDefects(others: readonly Defect[]): readonly Defect[] {
  const limited = inStates.map((id): Defect => {
    const at = id.lastIndexOf('.')
    const state = id.slice(at + 1) as State
    const defect = others.find((other) => other.id === id.slice(0, at))
    if (defect === undefined) throw new Error(`there is no defect to limit: ${id}`)
    const summary = `Only when ${states[state].when}: ${defect.summary}`
    return { id, breaks, summary, override: whileIn(state, defect.override) }
  })
  return [...limited, ...sizeDefects]
}

const sizeDefects: readonly Defect[] = rows(breaks, {
  'list.truncated-at-4-kib GET /api/rules shows only the rules that fit into 4 KiB, with the correct total.':
    truncatesAt(4),
  'list.truncated-at-64-kib GET /api/rules shows only the rules that fit into 64 KiB, with the correct total.':
    truncatesAt(64),
  'list.index-restarts-after-128 The listed index starts again at 0 after 128 rules.': () =>
    listsRule((_, index) => ({ index: index % 128 })),
  'list.limited-to-100 The list shows at most 100 rules, with the correct total.': listsAtMost(100),
  'list.limited-to-250 The list shows at most 250 rules, with the correct total.': listsAtMost(250),
  'list.above-64-kib-drops-connection A request for a list of more than 64 KiB gets no response: the connection is closed.':
    result('writtenList')((list) => (list.length > 64 * 1024 ? drop() : list)),
  'file.limited-to-512-rules Of the file at most 512 rules are loaded.': loads((rules) => rules.slice(0, 512)),
  'list.length-in-16-bits The length of the list is counted in 16 bits, so a list of 64 KiB or more is cut off.':
    result('writtenList')((list) => list.subarray(0, list.length % 2 ** 16)),
  'list.loaded-rules-keep-their-index A rule that was loaded from the file is listed with the index that it had then.':
    instead('ruleBody', ({ ruleBody, indexOf, known: { loaded } }, rule, index) =>
      ruleBody(rule, loaded.includes(rule) ? indexOf(loaded.indexOf(rule)) : index),
    ),
  'list.loaded-value-as-string The value of a rule that was loaded from the file is listed as text.': () =>
    listsRule((rule, _, { loaded }) => (loaded.includes(rule) ? { value: String(rule.value) } : {})),
  'list.single-rule-not-in-array rules is the rule itself, not an array, if the list holds exactly one rule.':
    returnsList((rules) => (rules[0] !== undefined && rules.length === 1 ? { rules: rules[0] } : {})),
  'list.total-in-8-bits total is counted in 8 bits.': returnsList((rules) => ({ total: rules.length % 256 })),
  'add.index-in-8-bits The returned index is counted in 8 bits.': masked({ 'plugin.add.position': 'start' })(
    reportsIndex((index) => index % 256),
  ),
  'status.rules-loaded-omitted-when-zero rules_loaded is omitted while the list is empty.': () =>
    returnsStatus(({ rules }) => ({ rules_loaded: rules.length || undefined })),
  'add.response-swaps-logins-of-reverse The response to a POST with direction reverse swaps master and follower.':
    returnsAdded(({ master, follower, direction }) =>
      direction === 'reverse' ? { master: follower, follower: master } : {},
    ),
  'delete.index-in-16-bits An index of at most nine digits overflows at 16 bits: 65536 is 0.': () =>
    readsIndexLike(/^\d{1,9}$/, (text) => Number(text) % 2 ** 16),
  'delete.three-digit-index-rejected DELETE with an index of three digits returns 404.': () =>
    readsIndexLike(/^\d{3}$/, () => undefined),
  'add.index-zero-omitted The response to a POST omits the index 0, as by serializers that drop zero values.': masked(
    countedFromOne,
  )(returnsAdded((_, index) => (index === 0 ? { index: undefined } : {}))),
  'add.value-zero-error-returns-200 A POST with value 0 returns its error with status 200.': responds(
    is(400, 'POST'),
    (response, _, { known }) => (String(known.members.value) === '0' ? withStatus(200)(response) : response),
  ),
  'add.index-too-large-after-delete-of-first After DELETE of the first of several rules, the next POST returns an index that is one too large.':
    instead('addRule', ({ addRule, known }, rules, rule) => {
      const excess = known.removal?.position === 0 && rules.length > 0 ? 1 : 0
      const { position, ...added } = addRule(rules, rule)
      return { ...added, position: position + excess }
    }),
  'add.index-too-large-after-delete-of-last After DELETE of the last rule, the next one gets an index that is one too large, and keeps it.':
    masked({ 'plugin.add.position': 'start' })(
      ({ addRule, removeRule, holdsPosition, ruleBody, reportedIndex, known }) => {
        let late: Rule | undefined
        return {
          removeRule: (rules, position) => removeRule(rules, Math.min(position, rules.length - 1)),
          addRule: (rules, rule) => {
            const { removal } = known
            const addition = addRule(rules, rule)
            late = removal?.isLast && addition.position === rules.length ? rule : undefined
            return addition
          },
          holdsPosition: (rules, position) =>
            holdsPosition(rules, position) || (position === rules.length && position > 0 && rules.at(-1) === late),
          ruleBody: (rule, index) => ruleBody(rule, index + (rule === late ? 1 : 0)),
          reportedIndex: (position, total) => reportedIndex(position + (late === undefined ? 0 : 1), total),
        }
      },
    ),
  'add.index-does-not-count-loaded-rules The returned index does not count the rules of the file.': () =>
    reportsIndex((index, _, { loaded }) => index - loaded.length),
  'delete.only-rule-returns-404 DELETE of the only rule returns 404 and removes nothing.': () =>
    holds((isHeld, [rules]) => isHeld && rules.length > 1),
  'delete.only-rule-not-removed DELETE of the only rule returns 200 and removes nothing.': () =>
    leaves((left, [rules]) => (rules.length === 1 ? rules : left)),
})
