import { expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import { rulesIn } from '../../session/rules.ts'

/** Clause 4.2: the list is whole and current, whatever a client says of the form in which it takes it. */
export const negotiationChecks: readonly Check[] = [
  {
    id: 'CT-311',
    requirement: 'plugin.list.all-active',
    title: 'GET /api/rules with the ETag of an earlier list returns the list after a rule is replaced',
    risk: 'write',
    async run({ plugin, rules }) {
      const [rule] = await rules.arrange(1)
      const { etag } = (await plugin.list()).headers
      expectStatus(await rules.remove(rule), 200)
      const [added] = await rules.arrange(1)
      const response = await plugin.list({ headers: etag === undefined ? {} : { 'If-None-Match': etag } })
      rules.find(rulesIn(response), added)
    },
  },
  {
    id: 'CT-312',
    requirement: 'plugin.list.ok',
    title: 'GET /api/rules returns JSON to a client that prefers JSON and accepts HTML',
    risk: 'read',
    async run({ plugin, rules }) {
      const list = await rules.read()
      const Accept = 'application/json, text/html;q=0.5, */*;q=0.1'
      expectUnchanged(rulesIn(await plugin.list({ headers: { Accept } })), list)
    },
  },
]
