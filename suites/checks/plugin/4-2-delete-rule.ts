import { after } from '../../assertions/after.ts'
import { expectBooleanSuccess, expectExactStatus } from '../../assertions/expect.ts'
import { sameContent } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { expectRemoved } from '../../session/list-changes.ts'
import { ownServer } from './scopes.ts'

/** Clause 4.2: DELETE /api/rules/{index} of an existing rule. */
export const deleteRuleChecks: readonly Check[] = [
  {
    id: 'CT-501',
    requirement: 'plugin.delete.ok',
    title: 'DELETE of a rule returns 200 with a boolean success',
    risk: 'write',
    tolerates: ['no effect'],
    async run({ rules }) {
      const [rule] = await rules.arrange(1)
      const response = await rules.sendRemoval(rule)
      expectExactStatus(response, 200)
      expectBooleanSuccess(response)
    },
  },
  {
    id: 'CT-511',
    requirement: 'plugin.delete.keeps-order',
    title: 'DELETE of the third, first and last of five rules removes only that rule and shifts the later ones',
    risk: 'write',
    async run({ rules }) {
      const own = await rules.arrange(5)
      for (const [name, place] of Object.entries({ third: 2, first: 0, last: -1 })) {
        const before = await rules.read()
        const rule =
          before.filter((listed) => own.some((mine) => sameContent(mine, listed))).at(place) ??
          rules.find(before, rules.draft())
        await rules.sendRemoval(rule)
        await after(`DELETE of the ${name} rule`, async () => expectRemoved(await rules.read(), { before, rule }))
      }
    },
  },
  {
    id: 'CT-533',
    requirement: 'plugin.delete.keeps-order',
    title: 'DELETE with a two-digit index removes only the rule at that index',
    ...ownServer,
    async run({ launch }) {
      const { rules, plugin } = await launch()
      await rules.arrange(11)
      const before = await rules.read()
      const rule = before.at(-1) ?? rules.find(before, rules.draft())
      await plugin.remove(rule.index)
      expectRemoved(await rules.read(), { before, rule })
    },
  },
]
