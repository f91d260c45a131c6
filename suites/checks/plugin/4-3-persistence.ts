import { setTimeout as pause } from 'node:timers/promises'
import { expectContents, expectExactly, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { after, CannotArrange, FailedExpectation, NotApplicable } from '../../assertions/failure.ts'
import { type HttpResponse, orRejected } from '../../client/response.ts'
import { contentLine, type Draft, haveSameLogins, type Rule } from '../../model/rule.ts'
import { expectKept } from '../../session/list-changes.ts'
import { type Plugin, toJson } from '../../session/plugin.ts'
import { post } from '../../session/raw-request.ts'
import { requestsToReject } from '../../session/rejected-requests.ts'
import { arranged, isAccepted, type Rules } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/session.ts'
import { expectLoadedIsTotal } from './2-4-status.ts'
import { expectTotal } from './4-2-list.ts'
import { documentedWords } from './documented-words.ts'
import { ownServer, restarting, serverChecks, writing } from './scopes.ts'

function expectKeptByRestart({ rules, restart }: LaunchedServer): Promise<void> {
  return expectKept(rules, restart, 'list.changed-after-restart')
}

/** A server that saves after the response, or at intervals, has saved by then, in ms. */
export const savedLater = 2_000

/** If every rule is lost, the failure tells whether a rule is kept only if it was added some time before. */
async function expectSaved(server: LaunchedServer): Promise<void> {
  const { rules, restart } = server
  const before = await rules.read()
  await restart()
  const list = await rules.read()
  const isLost = !before.some((rule) => list.some((one) => haveSameLogins(one, rule)))
  const isKeptAfter = (ms: number) => isNewRuleKept(server, ms).catch(notArranged)
  const isLate = isLost && !(await isKeptAfter(0)) && (await isKeptAfter(savedLater))
  expectUnchanged(list, before, isLate ? 'list.saved-late' : 'list.changed-after-restart')
}

/** Whether a restart keeps a rule that was added this time before it, in ms. */
async function isNewRuleKept({ rules, restart }: LaunchedServer, ms: number): Promise<boolean> {
  // The same content each time: only the time may make a difference.
  const [rule] = await rules.arrange([rules.draft({ mode: 'mult', value: 1, direction: 'same' })])
  await pause(ms)
  await restart()
  return (await rules.read()).some((one) => haveSameLogins(one, rule))
}

function notArranged(error: unknown): false {
  if (error instanceof CannotArrange || error instanceof FailedExpectation) return false
  throw error
}

/** The list holds the same rules after the process is killed. Another check judges their order. */
async function expectKeptByCrash({ rules, crash, start }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  await crash()
  await start()
  expectContents(inOrder(await rules.read()), inOrder(before), 'list.changed-after-crash')
}

function inOrder(list: readonly Rule[]): readonly Rule[] {
  return list.toSorted((one, other) => (contentLine(one) < contentLine(other) ? -1 : 1))
}

/** Judges a server that has loaded three rules from its file. */
const restarted =
  (judge: (plugin: Plugin) => Promise<void>) =>
  async ({ plugin, rules, restart }: LaunchedServer) => {
    await rules.arrange(3)
    await restart()
    await judge(plugin)
  }

/** Each acknowledged rule is listed; otherwise the check has nothing to judge. */
async function requireListed(rules: Rules, drafts: readonly Draft[], responses: readonly (HttpResponse | null)[]) {
  await arranged(async () => {
    const list = await rules.read()
    for (const [at, draft] of drafts.entries()) {
      const response = responses[at]
      if (response && isAccepted(response)) rules.find(list, draft)
    }
  })
}

/** Logins that need more than 32 bits, more than a double, and 64 bits without a sign. */
const largeLogins = [
  { master: 4_294_968_297 },
  { follower: 4_294_968_297 },
  { master: 2n ** 60n + 1n },
  { follower: 2n ** 63n + 5n },
]

/** With these fields a rule is about as long as possible. */
const longFields = { mode: 'fixed', value: 0.012345678901234568, direction: 'reverse' } as const

/** Values with many digits or an exponent. A server may reject them. */
const extremeValues = [0.000123456, 1234560, 0.0000123456, 1.23456e-9, 9_876_540_000, 1.23456e16]

/** Clause 4.3 rule 1: rules added or removed through the API are saved. */
export const persistenceChecks = [
  ...serverChecks(restarting, 'plugin.persist.list', {
    'CT-601 The list is the same after a stop and a start, after additions and removals before each of two restarts':
      async (server) => {
        const { rules } = server
        const [first, second, ...own] = await rules.arrange([
          rules.draft({ mode: 'multiplier', direction: 'reverse', value: 3.14151 }),
          // A file with two decimals of a fixed lot would lose a digit only of the one with three.
          ...documentedWords.map((words, at) => rules.draft({ ...words, value: at === 2 ? 123.456 : 0.01 })),
          rules.draft({ value: 1234.5 }),
        ])
        await rules.remove(second)
        await after('the first restart', () => expectSaved(server))
        await rules.arrange(1)
        for (const rule of [own.at(-1) ?? first, first]) await rules.remove(rule)
        await after('the second restart', () => expectKeptByRestart(server))
      },
    'CT-612 Accepted logins above 2^32 and accepted large and small values survive a stop and a start unchanged':
      async (server) => {
        const { draft, arrange, offer } = server.rules
        await arrange(1)
        await offer([
          ...largeLogins.map((logins) => draft({ ...longFields, ...logins })),
          ...extremeValues.map((value) => draft({ value })),
        ])
        await expectKeptByRestart(server)
      },
    'CT-613 A rule that was rejected is not in the list after a stop and a start, and nothing else has changed': async (
      server,
    ) => {
      const { rules, plugin } = server
      const [, rule] = await rules.arrange(3)
      for (const request of requestsToReject(rule, rules.draft)) await plugin.send(request)
      await after('the rejected requests', () => expectKeptByRestart(server))
      for (const request of requestsToReject(rule, rules.draft)) await plugin.send(request)
      await rules.arrange(1)
      await after('the rejected requests and a POST', () => expectKeptByRestart(server))
    },
    'CT-615 Rules that are added on one connection survive a stop and a start': async (server) => {
      const drafts = [1, 2, 3].map(() => server.rules.draft())
      const bytes = drafts.map((draft) => post(server, toJson(draft)))
      const { responses } = await server.raw({ bytes, responses: bytes.length })
      if (responses.length < 3) throw new NotApplicable('the server ends a connection before its third request')
      await requireListed(server.rules, drafts, responses)
      await expectKeptByRestart(server)
    },
  }),
  ...serverChecks(restarting, 'plugin.list.total', {
    'CT-610 GET /api/rules returns the correct total after a start from the rules file': restarted(async (plugin) =>
      expectTotal(await plugin.list()),
    ),
  }),
  ...serverChecks(restarting, 'plugin.status.rules-loaded-is-total', {
    'CT-611 GET /api/status returns the correct rules_loaded after a start from the rules file':
      restarted(expectLoadedIsTotal),
  }),
  ...serverChecks(restarting, 'plugin.rule.value-double-precision', {
    'CT-633 Values that need more precision than a 32-bit float survive a stop and a start unchanged': async ({
      rules,
      restart,
    }) => {
      const added = await rules.arrange([1.23456789, 524288.03125, 999999.5].map((value) => rules.draft({ value })))
      const valuesIn = (list: readonly Rule[]) =>
        added.map((rule) => list.find((one) => haveSameLogins(one, rule))?.value)
      const before = valuesIn(await rules.read())
      await restart()
      const values = valuesIn(await rules.read())
      if (values.includes(undefined)) throw new CannotArrange('the rules did not survive the restart')
      expectExactly('list.values-changed-after-restart', values, before)
    },
  }),
  ...serverChecks({ ...restarting, alone: true, tolerates: ['end of connection'] }, 'plugin.persist.list', {
    'CT-614 Rules that are added at the same time survive a stop and a start': async (server) => {
      const { rules, plugin } = server
      const drafts = Array.from({ length: 8 }, () => rules.draft())
      await requireListed(rules, drafts, await Promise.all(drafts.map((draft) => orRejected(plugin.add(draft)))))
      await expectKeptByRestart(server)
    },
  }),
  ...serverChecks(ownServer, 'plugin.persist.list', {
    'CT-617 A rule that is added to a list that has become empty survives restarts, also after a start with that list':
      async (server) => {
        const { rules, restart } = server
        const [first] = await rules.arrange(1)
        await rules.remove(first)
        const [second] = await rules.arrange(1)
        await after('the list was empty', () => expectKeptByRestart(server))
        await rules.remove(second)
        await restart()
        await rules.arrange(1)
        await after('a start with an empty list', () => expectKeptByRestart(server))
        await after('a start without a change', () => expectKeptByRestart(server))
      },
  }),
  ...serverChecks({ ...writing, needs: ['launch', 'delete-rules-file'] }, 'plugin.persist.list', {
    'CT-616 A rule that is added after the rules file was deleted survives a stop and a start': async (server) => {
      const { rules } = server
      await rules.arrange(1)
      await server.deleteRulesFile()
      const [added] = await rules.arrange(1)
      await server.restart()
      rules.find(await rules.read(), added)
    },
  }),
  ...serverChecks({ ...writing, needs: ['launch', 'rules-file'] }, 'plugin.persist.file-name', {
    'CT-606 POST of a rule creates a rules file named ServiceCopyTrade_rules.dat': async (server) => {
      await server.rules.arrange(1)
      await server.stop()
      expectThat(await server.hasRulesFile(), 'rules-file.missing', {})
    },
  }),
  ...serverChecks({ ...writing, needs: ['launch', 'crash'], alone: true }, 'plugin.persist.survives-crash', {
    'CT-608 The list is the same after a kill of the process right after an addition or removals are acknowledged':
      async (server) => {
        const { rules } = server
        const [first, second, third] = await rules.arrange(4)
        await after('a kill after four POSTs', () => expectKeptByCrash(server))
        await rules.remove(first)
        await after('a kill after a DELETE', () => expectKeptByCrash(server))
        await rules.remove(second)
        await rules.remove(third)
        await after('a kill after two DELETEs', () => expectKeptByCrash(server))
      },
  }),
]
