import { after } from '../../assertions/after.ts'
import { expectBooleanSuccess, expectExactStatus } from '../../assertions/expect.ts'
import { sameContent } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import { expectRemoved } from '../../session/list-changes.ts'
import { judgingResponses, ownServer, writing } from './scopes.ts'

/** Clause 4.2: DELETE /api/rules/{index} of an existing rule. */
export const deleteRuleChecks: readonly Check[] = [
  ...checks(judgingResponses, 'plugin.delete.ok', {
    'CT-501 DELETE of a rule returns 200 with a boolean success': async ({ rules }) => {
      const [rule] = await rules.arrange(1)
      const response = await rules.sendRemoval(rule)
      expectExactStatus(response, 200)
      expectBooleanSuccess(response)
    },
  }),
  ...checks(writing, 'plugin.delete.keeps-order', {
    'CT-511 DELETE of the third, first and last of five rules removes only that rule and shifts the later ones':
      async ({ rules }) => {
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
  }),
  ...checks(ownServer, 'plugin.delete.keeps-order', {
    'CT-533 DELETE with a two-digit index removes only the rule at that index': async ({ launch }) => {
      const { rules, plugin } = await launch()
      await rules.arrange(11)
      const before = await rules.read()
      const rule = before.at(-1) ?? rules.find(before, rules.draft())
      await plugin.remove(rule.index)
      expectRemoved(await rules.read(), { before, rule })
    },
  }),
]
