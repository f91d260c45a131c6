import { expectStatus, expectThat } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import {
  expectAccepted,
  expectKeyNeeded,
  reads,
  unauthenticated,
  withoutKey,
  writes,
} from '../../session/operations.ts'

const headerChecks = (['x-api-key', 'bearer'] as const).flatMap((as): Check[] => {
  const name = as === 'bearer' ? 'Authorization: Bearer' : 'X-API-Key'
  const [readId, writeId] = as === 'bearer' ? ['CT-703', 'CT-704'] : ['CT-701', 'CT-702']
  return [
    {
      id: readId,
      requirement: `plugin.auth.${as}`,
      title: `GET requests succeed with the key in ${name}, and GET /api/status returns 401 without a key`,
      risk: 'read',
      async run(session) {
        await expectAccepted(session, reads, { as })
        expectStatus(await session.plugin.status(withoutKey), 401)
      },
    },
    {
      id: writeId,
      requirement: `plugin.auth.${as}`,
      title: `POST and DELETE with the key in ${name} add and remove a rule`,
      risk: 'write',
      run: (session) => expectAccepted(session, writes, { as }),
    },
  ]
})

const operationChecks = (
  [
    { id: 'CT-711', requirement: 'plugin.auth.reads-need-key', name: 'status', what: 'GET /api/status' },
    { id: 'CT-712', requirement: 'plugin.auth.reads-need-key', name: 'list', what: 'GET /api/rules' },
    { id: 'CT-713', requirement: 'plugin.auth.changes-need-key', name: 'add', what: 'POST /api/rules' },
    { id: 'CT-714', requirement: 'plugin.auth.changes-need-key', name: 'remove', what: 'DELETE /api/rules/{index}' },
  ] as const
).map(
  ({ id, requirement, name, what }): Check => ({
    id,
    requirement,
    title: `${what} is rejected without the key, with any pair of headers and any spelling of its path`,
    risk: reads.includes(name) ? 'read' : 'write',
    run: (session) => expectKeyNeeded(session, name, unauthenticated),
  }),
)

/** Names that only a shown rule has. */
const ruleMembers = /"(rules|master|follower|direction)"\s*:/

/** A number alone may be in an error text by chance; both logins of a rule, as whole numbers, may not. */
function expectNoRuleShown(response: HttpResponse, list: readonly Rule[]): void {
  const numbers = new Set(response.text.match(/\d+/g))
  const shown = list.some(({ master, follower }) => numbers.has(`${master}`) && numbers.has(`${follower}`))
  expectThat(!shown && !ruleMembers.test(response.text), 'response.shows-rules', { difference: null, response })
}

/** Clause 5: the correct key is accepted in either header; a missing or wrong one is not. */
export const rightKeyChecks: readonly Check[] = [
  ...headerChecks,
  {
    id: 'CT-705',
    requirement: 'plugin.auth.both-headers',
    title: 'GET /api/status with the correct key in both headers returns 200',
    risk: 'read',
    async run({ plugin, key }) {
      expectStatus(await plugin.status({ headers: { Authorization: `Bearer ${key}` } }), 200)
    },
  },
  {
    id: 'CT-706',
    requirement: 'plugin.auth.header-name-case',
    title: 'GET /api/status accepts the header names x-api-key, X-API-KEY, authorization and AUTHORIZATION',
    risk: 'read',
    async run({ plugin, key }) {
      for (const name of ['x-api-key', 'X-API-KEY']) {
        expectStatus(await plugin.status({ key: null, headers: { [name]: key } }), 200)
      }
      for (const name of ['authorization', 'AUTHORIZATION']) {
        expectStatus(await plugin.status({ key: null, headers: { [name]: `Bearer ${key}` } }), 200)
      }
    },
  },
  {
    id: 'CT-707',
    requirement: 'plugin.auth.both-headers',
    title: 'GET, POST and DELETE of rules succeed with the correct key in both headers',
    risk: 'write',
    run: (session) =>
      expectAccepted(session, ['list', ...writes], { headers: { Authorization: `Bearer ${session.key}` } }),
  },
  ...operationChecks,
  {
    id: 'CT-715',
    requirement: 'plugin.auth.reads-need-key',
    title: 'GET /api/rules without a key discloses no rule',
    risk: 'read',
    async run({ plugin, rules }) {
      const list = await rules.read()
      const response = await plugin.list(withoutKey)
      expectNoRuleShown(response, list)
    },
  },
  {
    id: 'CT-716',
    requirement: 'plugin.auth.reads-need-key',
    title: 'GET /api/rules without a key and with a wrong key discloses no rule that was added',
    risk: 'write',
    async run({ plugin, rules }) {
      const added = await rules.arrange(2)
      for (const variation of unauthenticated) expectNoRuleShown(await plugin.list(variation), added)
    },
  },
]
