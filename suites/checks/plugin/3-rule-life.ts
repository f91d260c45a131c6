import { expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { describeRule, haveSameLogins } from '../../model/rule.ts'
import { checks, reading, writing } from './scopes.ts'

/** Clause 3: a rule exists from its creation until its removal. */
export const ruleLifeChecks = [
  ...checks(writing, 'plugin.rule.exists-until-removed', {
    'CT-113 A rule stays listed, and a removed one unlisted, while ten other rules are added and removed': async ({
      rules,
    }) => {
      const [kept, gone] = await rules.arrange(2)
      await rules.sendRemoval(gone)
      for (let i = 0; i < 5; i += 1) {
        const [one, two] = await rules.arrange(2)
        await rules.sendRemoval(one)
        await rules.sendRemoval(two)
        const list = await rules.read()
        rules.find(list, kept)
        const found = list.find((rule) => [gone, one, two].some((removed) => haveSameLogins(removed, rule)))
        expectThat(found === undefined, 'rule.listed-after-delete', {
          expected: describeRule(gone),
          actual: found && describeRule(found),
        })
      }
    },
  }),
  ...checks(reading, 'plugin.list.reading-changes-nothing', {
    'CT-121 Repeated GET /api/status and GET /api/rules requests leave the list unchanged': async (session) => {
      const { plugin, rules } = session
      const before = await rules.read()
      for (let i = 0; i < 5; i += 1) {
        expectStatus(await plugin.status(), 200)
        expectUnchanged(await rules.read(), before)
      }
    },
  }),
]
