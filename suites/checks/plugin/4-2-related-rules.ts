import { expectObject, expectUnchanged } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { contentOf, type Draft, sameContent } from '../../model/rule.ts'
import { expectAdded, expectAddedAt, expectKept, expectRemoved } from '../../session/list-changes.ts'
import { isAccepted } from '../../session/rules.ts'
import { checks, ownServer, restarting, serverChecks, writing } from './scopes.ts'

/** `count` is 1 for the first rule that is related to `known`, 2 for the second. */
type Relate = (known: Draft, other: Draft, count: number) => Draft

function otherOf(one: string, other: string, word: string): string {
  return word === one ? other : one
}

/**
 * Rules that share logins or content with another rule. A server may reject them. If it accepts one,
 * the other rule must stay unchanged. No listed rule has the logins of `other`.
 */
const relations: Readonly<Record<string, Relate>> = {
  'the same logins and another value': (known, _, count) => ({ ...known, value: known.value + count }),
  'the same logins and the opposite direction': (known) => ({
    ...known,
    direction: otherOf('same', 'reverse', known.direction),
  }),
  'the same logins and the other mode': (known) => ({ ...known, mode: otherOf('fixed', 'mult', known.mode) }),
  'the same logins and everything else different': ({ value, mode, direction, ...logins }, _, count) => ({
    ...logins,
    value: value + count,
    mode: otherOf('fixed', 'mult', mode),
    direction: otherOf('same', 'reverse', direction),
  }),
  'the same follower and another master': (known, other) => ({ ...known, master: other.follower }),
  'the same follower and everything else different': ({ follower, value, mode, direction }, other, count) => ({
    master: other.follower,
    follower,
    value: value + count,
    mode: otherOf('fixed', 'mult', mode),
    direction: otherOf('same', 'reverse', direction),
  }),
  'identical content': (known) => known,
  'master and follower swapped': (known) => ({ ...known, master: known.follower, follower: known.master }),
  'an existing follower as both master and follower': (known) => ({ ...known, master: known.follower }),
}

/** Clauses 3, 4.2 and 4.3: rules that share logins or content. */
export const relatedRuleChecks = [
  ...checks(writing, 'plugin.add.leaves-others', {
    'CT-491 POST of a rule that shares logins or content with another rule keeps that rule unchanged': async ({
      plugin,
      rules,
    }) => {
      for (const [what, relate] of Object.entries(relations)) {
        await after(`POST of a rule with ${what}`, async () => {
          const known = rules.draft()
          await rules.arrange([known])
          const further = [1, 2].map((count) => relate(known, rules.draft(), count))
          let before = await rules.read()
          for (const draft of further) {
            const isAdded = isAccepted(await plugin.add(draft))
            const list = await rules.read()
            if (isAdded) expectAdded(list, { before, draft })
            else expectUnchanged(list, before)
            before = list
          }
          await rules.clear([known, ...further])
        })
      }
    },
  }),
  ...serverChecks(ownServer, 'plugin.add.leaves-others', {
    'CT-492 POST of a rule with a login that is equal in 32 bits to that of another rule keeps that rule unchanged':
      async ({ rules, plugin }) => {
        for (const field of ['master', 'follower'] as const) {
          const [known] = await rules.arrange([rules.draft()])
          const before = await rules.read()
          const draft = rules.draft({ ...contentOf(known), [field]: Number(known[field]) + 2 ** 32 })
          await after(`POST with a ${field} above 2^32`, async () => {
            if (isAccepted(await plugin.add(draft))) expectAdded(await rules.read(), { before, draft })
          })
        }
      },
  }),
  ...checks(writing, 'plugin.add.index-of-new-rule', {
    'CT-4075 An accepted POST of a rule with the logins of another one returns the index of the new rule': async ({
      plugin,
      rules,
    }) => {
      const known = rules.draft()
      await rules.arrange([known])
      const draft = { ...known, value: known.value + 1 }
      const response = await plugin.add(draft)
      // Whether a rule with the same logins is accepted is a question.
      if (isAccepted(response)) expectAddedAt(await rules.read(), draft, expectObject(response).index)
    },
  }),
  ...checks(writing, 'plugin.delete.keeps-order', {
    'CT-555 DELETE among rules that share logins or content removes only the rule at the index': async ({
      plugin,
      rules,
    }) => {
      for (const [what, relate] of Object.entries(relations)) {
        await after(`POST of rules with ${what}`, async () => {
          const known = rules.draft()
          await rules.arrange([known])
          const further = [1, 2].map((count) => relate(known, rules.draft(), count))
          await rules.offer(further)
          let before = await rules.read()
          for (const place of ['middle', 'last'] as const) {
            const own = before.filter((rule) => [known, ...further].some((draft) => sameContent(draft, rule)))
            const rule = place === 'last' ? own.at(-1) : (own[Math.floor(own.length / 2)] ?? rules.find(before, known))
            // A server may have rejected the related rules.
            if (rule === undefined) break
            await plugin.remove(rule.index)
            const list = await rules.read()
            expectRemoved(list, { before, rule })
            before = list
          }
          await rules.clear([known, ...further])
        })
      }
    },
  }),
  ...serverChecks(restarting, 'plugin.persist.list', {
    'CT-634 Accepted rules that share logins or content survive a stop and a start, before and after a DELETE': async ({
      rules,
      restart,
    }) => {
      const known = rules.draft()
      await rules.arrange([known])
      const accepted = await rules.offer(Object.values(relations).map((relate) => relate(known, rules.draft(), 1)))
      await expectKept(rules, restart, 'list.changed-after-restart')
      const isLike = ({ master, follower }: Draft) => master === known.master && follower === known.follower
      const last = accepted.findLast((draft) => isLike(draft) && !sameContent(draft, known))
      // A server may have rejected all rules with these logins.
      if (last === undefined) return
      // No other change follows before the stop, since it may save the whole list.
      await rules.remove(last)
      await expectKept(rules, restart, 'list.changed-after-restart')
    },
  }),
]
