import { expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { describeRule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'

/** Clause 3: a rule exists from its creation until its removal. */
export const ruleLifeChecks: readonly Check[] = [
  {
    id: 'CT-113',
    requirement: 'plugin.rule.exists-until-removed',
    title: 'A rule stays listed while ten other rules are added and removed',
    risk: 'write',
    async run({ rules }) {
      const kept = rules.draft()
      await rules.arrange([kept])
      for (let i = 0; i < 5; i += 1) {
        const [one, two] = await rules.arrange(2)
        expectStatus(await rules.remove(i % 2 === 0 ? one : two), 200)
        expectStatus(await rules.remove(i % 2 === 0 ? two : one), 200)
        rules.find(await rules.read(), kept)
      }
    },
  },
  {
    id: 'CT-114',
    requirement: 'plugin.rule.exists-until-removed',
    title: 'A removed rule stays out of the list while other rules are added and removed',
    risk: 'write',
    async run({ rules }) {
      const [kept, gone] = await rules.arrange(2)
      const isGone = async () => {
        const found = (await rules.read()).find((rule) => rule.follower === gone.follower)
        expectThat(found === undefined, 'rule.listed-after-delete', {
          expected: describeRule(gone),
          actual: found && describeRule(found),
        })
      }
      expectStatus(await rules.remove(gone), 200)
      await isGone()
      await rules.arrange(2)
      await isGone()
      expectStatus(await rules.remove(kept), 200)
      await isGone()
    },
  },
  {
    id: 'CT-121',
    requirement: 'plugin.list.reading-changes-nothing',
    title: 'Repeated GET /api/status and GET /api/rules requests leave the list unchanged',
    risk: 'read',
    async run({ plugin, rules }) {
      const before = await rules.read()
      for (let i = 0; i < 5; i += 1) {
        await plugin.status()
        expectUnchanged(await rules.read(), before)
      }
      expectUnchanged(await rules.read(), before)
    },
  },
]
