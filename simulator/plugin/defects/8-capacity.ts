import { combine } from '../../defect-parts/combine.ts'
import { catching, type Event } from '../../defect-parts/events.ts'
import { asks, is, reject, to, withStatus, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { Addition, RuleList } from '../model/rule-list.ts'
import { type Defect, masked, maskedRows, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'
import { duplicatesRejected } from './masks.ts'
import {
  addsTo,
  asError,
  holds,
  instead,
  isFor,
  isFullWhen,
  leaves,
  listsAtMost,
  needsNoKey,
  on,
  reportsIndex,
  responds,
  result,
  returnsList,
  saves,
} from './overrides.ts'

const pairOf = ({ master, follower }: Partial<Record<keyof Rule, unknown>>) => `${String(master)} ${String(follower)}`

/** A server that responds with this status when its list is full. */
function reportsFull(status: number): Mutation {
  return instead('capacityReached', () => new ErrorResponse(status, 'The capacity is reached.'))
}

function addsWhenFull(add: (rules: RuleList, rule: Rule, addRule: Hooks['addRule']) => Addition): Mutation {
  return ({ isFull, addRule, known }) => ({
    isFull: (rules, capacity) => {
      isFull(rules, capacity)
      return false
    },
    addRule: (rules, rule) => (known.isFull ? add(rules, rule, addRule) : addRule(rules, rule)),
  })
}

/** A server that accepts a rule when the list is full, and removes another one for it. */
function acceptsWhenFull(makeRoom: (rules: RuleList) => RuleList): Mutation {
  return addsWhenFull((rules, rule, addRule) => addRule(makeRoom(rules), rule))
}

/** A server that rejects a rule when the list is full, but still changes the list. */
function rejectsWhenFull(change: (rules: RuleList, rule: Rule) => RuleList): Mutation {
  return (hooks) => ({
    ...addsWhenFull((rules, rule) => ({ rules: change(rules, rule), position: 0 }))(hooks),
    finish: (response, request) =>
      hooks.known.isFull && asks(request, 'POST') && response.status === 201
        ? asError(500, 'The capacity is reached.')(response, request, hooks)
        : response,
  })
}

/** A server in which removing a rule from a full list makes room for two. */
function makesRoomForTwo(where: (position: number, last: number) => boolean): Mutation {
  return isFullWhen((isFull, { changes }) =>
    isFull(changes.filter(({ wasFull, position, rules }) => wasFull && where(position, rules.length)).length),
  )
}

/** A server that removes a rule at some positions of a full list differently. */
function removesFromFull(
  where: (position: number, last: number) => boolean,
  remove: (rules: RuleList, position: number) => RuleList,
): Mutation {
  return leaves((left, [rules, position], { capacity }) =>
    rules.length === capacity && where(position, rules.length - 1) ? remove(rules, position) : left,
  )
}

function moveLastTo(rules: RuleList, position: number): RuleList {
  return rules.slice(0, -1).map((rule, at) => (at === position ? (rules.at(-1) ?? rule) : rule))
}

/** A server that accepts the first index past the end of a full list. */
const holdsFirstPastEnd = holds(
  (isHeld, [rules, position], { capacity }) => isHeld || (rules.length === capacity && position === capacity),
)

/** A server that loses a place, until the next start, whenever an event happens. */
function losesPlaces(event: Event<Hooks>): Mutation {
  return (hooks) => {
    let lost = 0
    const lose = () => {
      lost += 1
    }
    return { ...isFullWhen((isFull) => isFull(-lost))(hooks), ...event(hooks, lose) }
  }
}

/** A server that needs no key for these requests once its list has been full. */
const openWhenFull = (...lines: readonly string[]) =>
  needsNoKey((asked, { isFull }) => isFull && isFor(...lines)(asked))

/** Clause 8: the capacity, the behaviour when it is reached and with one place left, and where the server listens. */
export const capacityDefects: readonly Defect[] = [
  ...rows('plugin.capacity.answers-500', {
    'capacity.returns-400 POST to a full list returns 400.': reportsFull(400),
    'capacity.returns-507 POST to a full list returns 507.': reportsFull(507),
    'capacity.rejected-but-stored POST to a full list returns 500, but replaces the last rule.': () =>
      rejectsWhenFull((rules, rule) => [...rules.slice(0, -1), rule]),
    'capacity.rejection-moves-the-oldest POST to a full list returns 500, but moves the first rule to the end of the list.':
      rejectsWhenFull((rules) => [...rules.slice(1), ...rules.slice(0, 1)]),
    'capacity.rejects-once A full list rejects only once.': isFullWhen((isFull, { wasFull }) => !wasFull && isFull()),
  }),
  ...maskedRows({ 'plugin.capacity.before-validation': '500' }, 'plugin.capacity.answers-500', {
    'capacity.alias-not-limited A full list accepts rules with the mode multiplier.': () =>
      isFullWhen((isFull, { members }) => isFull() && members.mode !== 'multiplier'),
    'capacity.known-logins-not-limited A full list accepts rules with the logins of a listed one.': masked([
      ...duplicatesRejected,
      { answers: { 'plugin.capacity.before-validation': '500' } },
    ])(isFullWhen((isFull, { members, rules }) => isFull() && !rules.some((rule) => pairOf(rule) === pairOf(members)))),
  }),
  ...rows(['plugin.capacity.answers-500', 'plugin.add.leaves-others'], acceptsWhenFull, {
    'capacity.replaces-oldest POST to a full list is accepted and removes the oldest rule.': (rules) => rules.slice(1),
    'capacity.replaces-newest POST to a full list overwrites its last rule, with 201.': (rules) => rules.slice(0, -1),
  }),
  ...rows(['plugin.capacity.answers-500', 'plugin.capacity.lists-all', 'plugin.add.leaves-others'], {
    'capacity.acknowledged-and-not-stored POST to a full list returns 201 and adds nothing.': () =>
      addsWhenFull((rules) => ({ rules, position: rules.length })),
  }),
  ...rows(['plugin.capacity.answers-500', 'plugin.capacity.exact'], {
    'capacity.none The list is never full.': instead('isFull', () => false),
  }),
  ...rows('plugin.capacity.room-after-delete', {
    'capacity.full-forever A list that was full once rejects every later rule.': () =>
      isFullWhen((isFull, { wasFull }) => wasFull || isFull()),
    'capacity.wrong-place-freed After a rejection at capacity and a DELETE, the next rule replaces the last one.':
      addsTo((rules, _, { removal }) => (removal?.wasFull ? rules.slice(0, -1) : rules)),
    'capacity.delete-frees-two-places DELETE of any rule but the last of a full list makes room for two, so the list exceeds its capacity.':
      makesRoomForTwo((position, last) => position < last),
    'capacity.delete-of-first-frees-two-places DELETE of the first rule of a full list makes room for two, so the list exceeds its capacity.':
      makesRoomForTwo((position) => position === 0),
    'capacity.delete-also-removes-last DELETE in a full list also loses the last rule.': removesFromFull(
      (position, last) => position < last,
      (rules, position) => rules.slice(0, -1).filter((_, at) => at !== position),
    ),
    'capacity.delete-rejected-when-full DELETE in a full list returns 500.': holds((isHeld, [rules], { capacity }) =>
      rules.length >= capacity ? reject(500, 'The capacity is reached.') : isHeld,
    ),
    'capacity.delete-of-last-returns-404 DELETE of the last rule of a full list returns 404.': () =>
      holds((isHeld, [, position], { capacity }) => isHeld && position < capacity - 1),
    'capacity.delete-of-last-does-nothing DELETE of the last rule of a full list returns 200 and removes nothing.':
      leaves((left, [rules, position], { capacity }) =>
        rules.length === capacity && position === capacity - 1 ? rules : left,
      ),
    'capacity.middle-gap-filled-with-last DELETE in the middle of a full list moves the last rule into the removed position.':
      removesFromFull((position, last) => position > 0 && position < last, moveLastTo),
    'capacity.first-gap-filled-with-last DELETE of the first rule of a full list moves the last rule to its position.':
      removesFromFull((position) => position === 0, moveLastTo),
    'capacity.rejected-value-uses-a-place Every POST that is rejected for its value uses up a place until the next start.':
      losesPlaces(({ readValue }, lose) => ({
        readValue: catching(readValue, (error) => {
          lose()
          throw error
        }),
      })),
    'capacity.rejected-body-uses-a-place Every POST that returns 400 uses up a place until the next start.':
      losesPlaces(on('finish', ({ status }, { method }) => method === 'POST' && status === 400)),
  }),
  ...rows('plugin.add.index-of-new-rule', {
    'capacity.last-index-too-high The returned index of the rule that fills the list is one too high.': () =>
      reportsIndex((index, [, total], { capacity }) => index + (total === capacity ? 1 : 0)),
  }),
  ...rows('plugin.delete.index-past-end', {
    'capacity.index-past-end-removes-last DELETE of the first index past the end of a full list returns 404, but removes the last rule.':
      combine<Right>([
        holdsFirstPastEnd,
        leaves((left, [rules, position]) => (position === rules.length ? rules.slice(0, -1) : left)),
        responds(is(200, 'DELETE'), (response, request, hooks) =>
          hooks.known.removal?.rule ? response : asError(404, 'There is no such rule.')(response, request, hooks),
        ),
      ]),
    'capacity.index-past-end-returns-200 DELETE of the first index past the end of a full list returns 200 and removes nothing.':
      holdsFirstPastEnd,
  }),
  ...rows('plugin.auth.changes-need-key', {
    'capacity.disclosed-without-key The capacity is checked before the key.': openWhenFull('POST'),
  }),
  ...rows('plugin.auth.reads-need-key', openWhenFull, {
    'capacity.full-list-needs-no-key GET /api/rules needs no key while the list is full.': 'GET /api/rules',
    'capacity.full-status-needs-no-key GET /api/status needs no key while the list is full.': 'GET /api/status',
  }),
  ...rows('plugin.capacity.lists-all', {
    'list.limited-to-ten The list shows at most ten rules, with the correct total.': listsAtMost(10),
    'capacity.last-not-listed A full list does not show its last rule.': () =>
      returnsList((rules, { capacity }) => ({ rules: rules.slice(0, capacity - 1) })),
    'capacity.total-too-low The total of a full list is one too low.': () =>
      returnsList((rules, { capacity }) => ({ total: Math.min(rules.length, capacity - 1) })),
  }),
  ...rows('plugin.capacity.exact', {
    'capacity.one-too-few The list is full with one rule less than its capacity.': isFullWhen((isFull) => isFull(-1)),
    'capacity.one-too-many The list accepts one rule more than its capacity.': isFullWhen((isFull) => isFull(1)),
  }),
  ...rows('plugin.capacity.survives-restart', {
    'capacity.removal-from-full-list-not-saved DELETE of a rule is not saved if the POST before it found the list full.':
      saves(({ removal }) => !removal?.wasFull),
    'capacity.last-rule-not-loaded After a restart there is room for one rule less, and the last rule of a full list is not loaded.':
      (hooks) => ({
        ...isFullWhen((isFull, { foundFile }) => isFull(foundFile ? -1 : 0))(hooks),
        fitFileToCapacity: (rules, capacity) => rules.slice(0, capacity - 1),
      }),
    'capacity.last-rule-loaded-as-first A full list is loaded from the file with its last rule also in place of the first.':
      result('fitFileToCapacity')((fitted, [, capacity]) =>
        fitted.length < capacity ? fitted : [...fitted.slice(-1), ...fitted.slice(1)],
      ),
    'capacity.full-since-start A list that was full at the start has no room after a DELETE.': instead(
      'isFull',
      ({ isFull, known: { loaded } }, rules, capacity) => isFull(rules, capacity) || loaded.length >= capacity,
    ),
    'capacity.delete-after-restart-frees-two-places After a start that loaded rules, a DELETE makes room for two.':
      isFullWhen((isFull, { foundFile, removed }) => isFull(foundFile && removed.length > 0 ? 1 : 0)),
    'capacity.loaded-rules-not-counted Rules from the file do not count, so a full list accepts more rules after a restart.':
      isFullWhen((isFull, { loaded }) => isFull(loaded.length)),
  }),
  ...rows('plugin.limits.default-port', {
    'limits.wrong-default-port Without API_Port the server listens on port 8444.': () => ({ defaultPort: 8444 }),
    'limits.default-port-unavailable On the default port every response has the status 503.': () =>
      responds(to(''), (response, { socket }, { defaultPort }) =>
        socket.localPort === defaultPort ? withStatus(503)(response) : response,
      ),
  }),
  ...rows(['plugin.capacity.answers-500', 'plugin.add.leaves-others'], {
    'capacity.rejection-returns-200 POST to a full list returns 200 with success: false.': () =>
      responds(is(500, 'POST'), (response, _, { bodyHeaders }) =>
        withText({ ...response, status: 200, headers: bodyHeaders() }, '{"success":false}', 'application/json'),
      ),
  }),
]
