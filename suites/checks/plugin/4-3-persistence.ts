import { after } from '../../assertions/after.ts'
import { expectContents, expectExactly, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { CannotArrange, NotApplicable } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { contentLine, type Draft, haveSameLogins, type Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { post } from '../../session/raw-request.ts'
import { requestsToReject } from '../../session/rejected-requests.ts'
import { arranged, isAccepted, type Rules } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import { expectLoadedIsTotal } from './2-4-status.ts'
import { expectTotal } from './4-2-list.ts'
import { documentedWords } from './documented-words.ts'

/** These checks allow foreign rules in the list, so a server that can be restarted is enough. */
const restarting = { risk: 'write', needs: ['restart'] } as const
const crashing = { risk: 'write', needs: ['launch', 'crash'] } as const

/** The list is the same after a stop and a start. */
async function expectKept({ rules, restart }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  await restart()
  expectUnchanged(await rules.read(), before, 'list.changed-after-restart')
}

function inOrder(list: readonly Rule[]): readonly Rule[] {
  return list.toSorted((one, other) => (contentLine(one) < contentLine(other) ? -1 : 1))
}

/** Each rule whose POST succeeded is listed; otherwise the check has nothing to judge. */
async function requireListed(
  rules: Rules,
  drafts: readonly Draft[],
  responses: readonly HttpResponse[],
): Promise<void> {
  await arranged(async () => {
    const list = await rules.read()
    for (const [at, draft] of drafts.entries()) {
      const response = responses[at]
      if (response !== undefined && isAccepted(response)) rules.find(list, draft)
    }
  })
}

/** Logins that need more than 32 bits, and more than a double. */
const largeLogins = [4_294_968_297, 2n ** 60n + 1n]

/** With these a rule has about as many characters as one can have. */
const longFields = { mode: 'fixed', value: 0.012345678901234568, direction: 'reverse' } as const

/** Many digits, and values that are written with an exponent. A server may reject them. */
const extremeValues = [0.000123456, 1234560, 0.0000123456, 1.23456e-9, 9_876_540_000, 1.23456e16]

/** Clause 4.3 rule 1: rules added or removed through the API are saved. */
export const persistenceChecks: readonly Check[] = [
  {
    id: 'CT-601',
    requirement: 'plugin.persist.list',
    title: 'The list is the same after a stop and a start, after additions and removals before each of two restarts',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules } = server
      const [first, second, ...own] = await rules.arrange([
        rules.draft({ mode: 'multiplier', direction: 'reverse', value: 3.14151 }),
        ...documentedWords.map((words) => rules.draft({ ...words, value: 0.01 })),
        rules.draft({ value: 1234.5 }),
      ])
      await rules.remove(second)
      await after('the first restart', () => expectKept(server))
      await rules.arrange(1)
      for (const rule of [own.at(-1) ?? first, first]) await rules.remove(rule)
      await after('the second restart', () => expectKept(server))
    },
  },
  {
    id: 'CT-610',
    requirement: 'plugin.list.total',
    title: 'GET /api/rules returns the correct total after a start from the rules file',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      await expectTotal(server.plugin)
    },
  },
  {
    id: 'CT-611',
    requirement: 'plugin.status.rules-loaded-is-total',
    title: 'GET /api/status returns the correct rules_loaded after a start from the rules file',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      await server.rules.arrange(3)
      await server.restart()
      await expectLoadedIsTotal(server.plugin)
    },
  },
  {
    id: 'CT-612',
    requirement: 'plugin.persist.list',
    title: 'Accepted logins above 2^32 and accepted large and small values survive a stop and a start unchanged',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules } = server
      await rules.arrange(1)
      await rules.offer([
        ...largeLogins.flatMap((login) => [
          rules.draft({ ...longFields, master: login }),
          rules.draft({ follower: login }),
        ]),
        ...extremeValues.map((value) => rules.draft({ value })),
      ])
      await expectKept(server)
    },
  },
  {
    id: 'CT-633',
    requirement: 'plugin.rule.value-double-precision',
    title: 'Values that need more precision than a 32-bit float survive a stop and a start unchanged',
    ...restarting,
    async run({ launch }) {
      const { rules, restart } = await launch({ list: 'any' })
      const drafts = [1.23456789, 16777217, 1234567.5].map((value) => rules.draft({ value }))
      const added = await rules.arrange(drafts)
      const valuesIn = (list: readonly Rule[]) =>
        added.map((rule) => list.find((one) => haveSameLogins(one, rule))?.value)
      const before = valuesIn(await rules.read())
      await restart()
      const after = valuesIn(await rules.read())
      if (after.includes(undefined)) throw new CannotArrange('the rules did not survive the restart')
      expectExactly('list.values-changed-after-restart', after, before)
    },
  },
  {
    id: 'CT-613',
    requirement: 'plugin.persist.list',
    title: 'A rule that was rejected is not in the list after a stop and a start, and nothing else has changed',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      const [, rule] = await rules.arrange(3)
      for (const request of requestsToReject(rule, rules.draft)) await plugin.send(request)
      await after('the rejected requests', () => expectKept(server))
      for (const request of requestsToReject(rule, rules.draft)) await plugin.send(request)
      await rules.arrange(1)
      await after('the rejected requests and a POST', () => expectKept(server))
    },
  },
  {
    id: 'CT-615',
    requirement: 'plugin.persist.list',
    title: 'Rules that are added on one connection survive a stop and a start',
    ...restarting,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const drafts = Array.from({ length: 3 }, () => server.rules.draft())
      const bytes = drafts.map((draft) => post(server, toJson(draft)))
      const { responses } = await server.raw({ bytes, responses: bytes.length })
      if (responses.length < bytes.length)
        throw new NotApplicable('the server ends a connection before its third request')
      await requireListed(server.rules, drafts, responses)
      await expectKept(server)
    },
  },
  {
    id: 'CT-614',
    requirement: 'plugin.persist.list',
    title: 'Rules that are added at the same time survive a stop and a start',
    ...restarting,
    alone: true,
    async run({ launch }) {
      const server = await launch({ list: 'any' })
      const { rules, plugin } = server
      const drafts = Array.from({ length: 8 }, () => rules.draft())
      await requireListed(rules, drafts, await Promise.all(drafts.map((draft) => plugin.add(draft))))
      await expectKept(server)
    },
  },
  {
    id: 'CT-616',
    requirement: 'plugin.persist.list',
    title: 'A rule that is added after the rules file was deleted survives a stop and a start',
    risk: 'write',
    needs: ['launch', 'delete-rules-file'],
    async run({ launch }) {
      const server = await launch()
      const { rules } = server
      await rules.arrange(1)
      await server.deleteRulesFile()
      const [added] = await rules.arrange(1)
      await server.restart()
      rules.find(await rules.read(), added)
    },
  },
  {
    id: 'CT-606',
    requirement: 'plugin.persist.file-name',
    title: 'POST of a rule creates a rules file named ServiceCopyTrade_rules.dat',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    async run({ launch }) {
      const server = await launch()
      await server.rules.arrange(1)
      await server.stop()
      expectThat(await server.hasRulesFile(), 'rules-file.missing', {})
    },
  },
  {
    id: 'CT-608',
    requirement: 'plugin.persist.survives-crash',
    title: 'The list is the same after a kill of the process right after an addition or removals are acknowledged',
    ...crashing,
    alone: true,
    async run({ launch }) {
      const server = await launch()
      const { rules } = server
      const expectKeptAfterCrash = async () => {
        const before = await rules.read()
        await server.crash()
        await server.start()
        // In which order is for another check.
        expectContents(inOrder(await rules.read()), inOrder(before), 'list.changed-after-crash')
      }
      const [first, second, third] = await rules.arrange(4)
      await after('a kill after four POSTs', expectKeptAfterCrash)
      await rules.remove(first)
      await after('a kill after a DELETE', expectKeptAfterCrash)
      await rules.remove(second)
      await rules.remove(third)
      await after('a kill after two DELETEs', expectKeptAfterCrash)
    },
  },
]
