import { overlapping } from '../../defect-parts/overlapping.ts'
import { reject, textOf, withMembers } from '../../defect-parts/wire.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'

/** Long enough for concurrent requests to overlap. */
const writingTakesMs = 20
const overlapMs = 10

/** A server that keeps the follower of a POST in a variable shared by all requests. */
function sharesFollower(wrong: (hooks: Hooks, follower: () => bigint) => Partial<Hooks>): Mutation {
  return overlapping(writingTakesMs, (hooks) => {
    let follower = 0n
    return {
      fitLogin: (field, login) => {
        const kept = hooks.fitLogin(field, login)
        if (field === 'follower') follower = kept
        return kept
      },
      ...wrong(hooks, () => follower),
    }
  })
}

/** A server that is wrong if a concurrent POST has taken the last free place. */
function atLastPlace(wrong: (hooks: Hooks, isTaken: () => boolean) => Partial<Hooks>): Mutation {
  return overlapping(overlapMs, (hooks, overlap) => {
    let lastAddition = -1
    let lastTaken = -1
    const isTaken = () => lastTaken === overlap.idle
    return {
      isFull: (rules, capacity) => {
        const isFull = hooks.isFull(rules, capacity)
        if (!isFull) lastAddition = overlap.idle
        else if (lastAddition === overlap.idle) lastTaken = overlap.idle
        return isFull && !isTaken()
      },
      ...wrong(hooks, isTaken),
    }
  })
}

/** A server in which the second of two concurrent DELETEs removes another rule, or none. */
function atSecondRemoval(placeOf: (position: number, first: number, rules: RuleList) => number | undefined): Mutation {
  return overlapping(overlapMs, ({ removeRule }, overlap) => {
    let first = { position: 0, idle: -1 }
    return {
      removeRule: (rules, position) => {
        const isFirst = first.idle !== overlap.idle
        if (isFirst) first = { position, idle: overlap.idle }
        const place = isFirst ? position : placeOf(position, first.position, rules)
        return place === undefined ? rules : removeRule(rules, place)
      },
    }
  })
}

/** What any server should withstand: concurrent changes, and consistent responses to them. */
export const parallelDefects: readonly Defect[] = [
  ...rows(['plugin.add.leaves-others', 'plugin.robust.overlapping-requests'], {
    'robust.update-lost Concurrent changes overwrite each other, so the last one wins.': () =>
      overlapping<Hooks>(writingTakesMs, () => ({ serialise: (_, change) => change() })),
    'robust.follower-in-a-shared-variable The follower is read into a variable shared by all requests, so concurrent POSTs get the wrong one.':
      sharesFollower(({ addRule }, follower) => ({
        addRule: (rules, rule) => addRule(rules, { ...rule, follower: follower() }),
      })),
    'robust.concurrent-post-returns-503-but-adds A POST returns 503 while another change is saved, and adds its rule all the same.':
      overlapping(writingTakesMs, ({ serialise }, overlap) => ({
        serialise: async (mutex, change) => {
          const isBusy = overlap.saving > 0
          const result = await serialise(mutex, change)
          return isBusy ? reject(503, 'The rules are being saved.') : result
        },
      })),
  }),
  ...rows('plugin.robust.overlapping-requests', {
    'robust.last-place-given-twice The capacity is checked when a request arrives, so two concurrent POSTs get the last free place.':
      overlapping<Right>(writingTakesMs, ({ serialise, save, isFull, known }, overlap) => {
        let saved: RuleList = []
        let onArrival: RuleList = []
        return {
          serialise: (mutex, change) => {
            if (overlap.underWay === 0) saved = known.rules
            const found = saved
            return serialise(mutex, () => {
              onArrival = found
              return change()
            })
          },
          save: async (write, change) => {
            await save(write, change)
            saved = known.rules
          },
          // A loaded list counts from the first change on.
          isFull: (_, capacity) => isFull(known.changes.length === 0 ? [] : onArrival, capacity),
        }
      }),
    'robust.concurrent-change-returns-503 A change returns 503 while another one is being saved.': () =>
      overlapping(writingTakesMs, ({ serialise }, overlap) => ({
        serialise: (mutex, change) =>
          overlap.saving > 0 ? reject(503, 'The rules are being saved.') : serialise(mutex, change),
      })),
    'overlap.acknowledged-change-not-listed While a change is saved, the list is the one that was read before, without acknowledged changes.':
      overlapping(overlapMs, ({ writtenList }, overlap) => {
        let before: Uint8Array | undefined
        return {
          writtenList: (cached, write) => {
            if (overlap.saving === 0 || before === undefined) before = writtenList(cached, write)
            return before
          },
        }
      }),
    'overlap.last-place-overwritten Of concurrent POSTs for the last free place each returns 201, and the last one overwrites the others.':
      atLastPlace(({ addRule }, isTaken) => ({
        addRule: (rules, rule) => addRule(isTaken() ? rules.slice(0, -1) : rules, rule),
      })),
    'overlap.rejection-removes-the-last A POST that finds the last place taken by a concurrent one returns 500, and removes the rule of that one.':
      atLastPlace(({ addRule, addedBody }, isTaken) => ({
        addRule: (rules, rule) => (isTaken() ? { rules: rules.slice(0, -1), position: 0 } : addRule(rules, rule)),
        addedBody: (rule, index) => (isTaken() ? { error: 'The capacity is reached.' } : addedBody(rule, index)),
        finish: (response) =>
          response.status === 201 && textOf(response).startsWith('{"error"') ? { ...response, status: 500 } : response,
      })),
    'overlap.post-returns-202 POST returns 202 while other changes are under way.': () =>
      overlapping(overlapMs, (_, overlap) => ({
        finish: (response) =>
          response.status === 201 && overlap.onArrival > 1 ? { ...response, status: 202 } : response,
      })),
    'overlap.same-index-returned-twice The returned index is computed before concurrent POSTs finish, so two get the same one.':
      masked({ 'plugin.add.position': 'start' })(
        overlapping(overlapMs, ({ reportedIndex }, overlap) => ({
          reportedIndex: (position, total) =>
            reportedIndex(Math.max(0, position - (overlap.underWay > 1 ? 1 : 0)), total),
        })),
      ),
  }),
  ...rows('plugin.add.leaves-others', {
    'robust.response-in-a-shared-variable The response to a POST is written from a variable shared by all requests, so it names another rule.':
      sharesFollower(({ addedBody }, follower) => ({
        addedBody: (rule, index) => addedBody({ ...rule, follower: follower() }, index),
      })),
  }),
  ...rows('plugin.rule.fields', {
    'overlap.new-rule-listed-with-value-zero While a change is saved, the last of three or more rules is listed with the value 0.':
      overlapping(overlapMs, ({ writtenList, listBody }, overlap) => ({
        writtenList: (cached, write) => (overlap.saving > 0 ? write() : writtenList(cached, write)),
        listBody: (rules) => {
          const isUnfinished = (at: number) => overlap.saving > 0 && at > 1 && at === rules.length - 1
          return listBody(rules.map((rule, at) => (isUnfinished(at) ? withMembers(rule, { value: 0 }) : rule)))
        },
      })),
  }),
  ...rows(['plugin.delete.keeps-order', 'plugin.robust.overlapping-requests'], {
    'overlap.second-delete-does-nothing A second concurrent DELETE of an index returns 200 and removes nothing.':
      atSecondRemoval((position, first) => (position === first ? undefined : position)),
  }),
  ...rows('plugin.delete.keeps-order', {
    'overlap.second-delete-counts-from-end A second concurrent DELETE counts its index from the end of the list.':
      atSecondRemoval((position, _, rules) => rules.length - 1 - position),
  }),
]
