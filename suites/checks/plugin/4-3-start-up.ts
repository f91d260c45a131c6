import { setTimeout as pause } from 'node:timers/promises'
import { expectSameLines } from '../../assertions/expect.ts'
import { after, FailedExpectation, NotApplicable } from '../../assertions/failure.ts'
import { copyOf, copyValue, takesFollowers } from '../../model/copy-syntax.ts'
import { contentLine, type Draft, haveSameLogins, loginsOf } from '../../model/rule.ts'
import { arranged } from '../../session/rules.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import { expectForms } from './2-3-rules.ts'
import { savedLater } from './4-3-persistence.ts'
import { checks, ownServer } from './scopes.ts'

/** Needs a server that the kit starts with rules from `Copy_N`. */
const withCopies = { ...ownServer, copies: true } as const

/** The list holds these rules, as far as `partOf` shows. Their indices and order are not judged here. */
const expectListed =
  (partOf: (rule: Draft) => string) =>
  async ({ rules }: LaunchedServer, expected: readonly Draft[]) =>
    expectSameLines('start.rules-wrong', (await rules.read()).map(partOf), expected.map(partOf))

const expectRules = expectListed(contentLine)

/** The list holds rules with these logins. Their other fields are not judged here. */
const expectPairs = expectListed(loginsOf)

function twoCopied(session: Session) {
  const { draft } = session.rules
  const first = draft({ mode: 'mult', value: 1.5, direction: 'same' })
  const second = draft({ mode: 'fixed', value: 0.25, direction: 'reverse' })
  return { first, second, copy: copyOf(session, { Copy_1: first, Copy_2: second }) }
}

/** Deletes the rule with these logins, by the index in a newly read list. */
async function removeByLogins({ rules, plugin }: LaunchedServer, removed: Draft): Promise<void> {
  const listed = (await rules.read()).find((rule) => haveSameLogins(rule, removed))
  await plugin.remove(listed?.index ?? 'none')
}

/** Clause 4.3 rules 2 and 3: which rules a server starts with. */
export const startUpChecks = [
  ...checks(ownServer, 'plugin.start.parameters', {
    'CT-621 A start without a rules file and without Copy_N leaves the list empty': async ({ launch }) => {
      await expectRules(await launch({ list: 'fresh' }), [])
    },
  }),
  ...checks(withCopies, 'plugin.start.parameters', {
    'CT-622 A start without a rules file loads the rules of Copy_1 and Copy_2': async (session) => {
      const { copy, first, second } = twoCopied(session)
      await expectRules(await session.launch({ copy }), [first, second])
    },
    'CT-648 A start lists a Copy_N rule with a login above 2^31, 2^32 or 2^53 unchanged, or not at all': async (
      session,
    ) => {
      const { draft } = session.rules
      for (const copied of [
        { Copy_1: draft({ master: 3_000_000_005 }), Copy_2: draft({ follower: 4_294_968_297 }) },
        { Copy_1: draft({ master: 2n ** 53n + 1n }), Copy_2: draft({ follower: 2n ** 53n + 5n }) },
      ]) {
        const server = await session.prepare({ copy: copyOf(session, copied) })
        // The range of logins is not specified, so a server may also not start.
        if (!(await server.tryStart())) continue
        const list = await server.rules.read()
        const kept = Object.values(copied).filter((rule) => list.some((listed) => haveSameLogins(listed, rule)))
        await expectPairs(server, kept)
      }
    },
  }),
  ...checks(withCopies, 'plugin.start.file-wins', {
    'CT-624 A start with a rules file and with Copy_N loads only the rules of the file': async (session) => {
      const server = await session.launch()
      const added = await server.rules.arrange(2)
      const { draft } = session.rules
      await server.restart({ copy: copyOf(session, { Copy_1: draft(), Copy_2: draft(), Copy_3: draft() }) })
      await expectPairs(server, added)
    },
    'CT-626 A start with Copy_N and a rules file that holds zero rules leaves the list empty': async (session) => {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      for (const rule of [first, second]) await removeByLogins(server, rule)
      await arranged(() => expectPairs(server, []))
      await server.restart()
      await expectPairs(server, [])
    },
  }),
  ...checks(withCopies, 'plugin.start.all-parameters', {
    'CT-627 A start loads Copy_0, Copy_3, Copy_100 and Copy_1000 and no parameter named Copy_, Copy_x, Copy_2x or Copy2':
      async (session) => {
        const { draft } = session.rules
        const loaded = { Copy_0: draft(), Copy_3: draft({ value: 1.23456 }), Copy_100: draft(), Copy_1000: draft() }
        const others = { Copy_: draft(), Copy_x: draft(), Copy_2x: draft(), Copy2: draft() }
        const server = await session.launch({ copy: copyOf(session, { ...loaded, ...others }) })
        await expectRules(server, Object.values(loaded))
      },
    'CT-647 A start loads one rule for each of nine followers in Copy_1': async (session) => {
      const { copySyntax, rules } = session
      if (!takesFollowers(copySyntax)) throw new NotApplicable('a Copy_N value has one follower in the stated syntax')
      const first = rules.draft({ mode: 'fixed', direction: 'reverse' })
      const further = Array.from({ length: 8 }, () => rules.draft().follower)
      const Copy_1 = copyValue(copySyntax, first, ...further)
      const followers = [first.follower, ...further].map((follower) => ({ ...first, follower }))
      await expectRules(await session.launch({ copy: { Copy_1 } }), followers)
    },
  }),
  ...checks(withCopies, 'plugin.start.parameters-can-be-changed', {
    'CT-629 Additions to and removals from the Copy_N rules survive a restart': async (session) => {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      await removeByLogins(server, second)
      await server.restart()
      await after('a DELETE', () => expectPairs(server, [first]))
      const changed = { ...second, value: second.value + 1, mode: 'mult' } as const
      const [added] = await server.rules.arrange([server.rules.draft(), changed])
      await server.restart()
      await after('two POSTs', () => expectRules(server, [first, added, changed]))
    },
  }),
  ...checks({ ...withCopies, needs: ['launch', 'delete-rules-file'] }, 'plugin.start.reset', {
    'CT-630 A start without a rules file loads the present Copy_N rules after some were changed, added and removed':
      async (session) => {
        const { draft } = session.rules
        const [one, two, changed, added] = [draft(), draft(), draft(), draft()]
        const first = { Copy_1: one, Copy_2: two }
        const starts = { 'the same Copy_N': first, 'other Copy_N': { Copy_1: changed, Copy_3: added }, 'no Copy_N': {} }
        const server = await session.launch({ copy: copyOf(session, first) })
        for (const [what, present] of Object.entries(starts)) {
          // Neither the second POST nor a start that loads the file may leave a copy of it behind.
          await server.rules.arrange(2)
          await server.restart()
          await server.stop()
          await server.deleteRulesFile()
          await server.configure({ copy: copyOf(session, present) })
          await server.start()
          await after(`a start with ${what}`, () => expectPairs(server, Object.values<Draft>(present)))
        }
      },
    'CT-632 A restart loads the Copy_N rules if the rules file was deleted while the server was running': async (
      session,
    ) => {
      const { copy, first, second } = twoCopied(session)
      const server = await session.launch({ copy })
      const expectReset = async (origin: string, ms: number) => {
        await server.rules.arrange(1)
        if (origin === 'loaded at the start') await server.restart()
        await pause(ms)
        await server.deleteRulesFile()
        await server.restart()
        await after(`the file that was ${origin} was deleted`, () => expectPairs(server, [first, second]))
      }
      for (const origin of ['written since the start', 'loaded at the start']) {
        // A change that was not saved yet may write the file again.
        await expectReset(origin, 0).catch((error: unknown) => {
          if (!(error instanceof FailedExpectation && error.code === 'start.rules-wrong')) throw error
          return expectReset(origin, savedLater)
        })
      }
    },
  }),
  ...checks(withCopies, 'plugin.rule.fields', {
    'CT-636 A start lists no rule of a Copy_N with an undocumented value, mode or direction in that form': async (
      session,
    ) => {
      for (const broken of brokenFields) {
        if (await expectNotListedAsWritten(session, broken)) continue
        // One of the values may hide what the server does with another.
        for (const one of broken) await expectNotListedAsWritten(session, [one])
      }
    },
  }),
]

/** Fields of `Copy_N` values that the API would reject or change. A server may read each in its own way. */
const brokenFields: readonly (readonly Partial<Draft>[])[] = [
  [{ value: 0 }, { value: -1.5 }, { value: Number.NaN }],
  [{ mode: 'multiplier' }, { mode: 'lots' }, { mode: 'Fixed' }],
  [{ direction: 'both' }, { direction: 'Reverse' }],
]

/**
 * Starts a server with two valid `Copy_N` and these, and judges the listed rules. Returns whether it loaded any: a server
 * may also not start, or load nothing.
 */
async function expectNotListedAsWritten(session: Session, broken: readonly Partial<Draft>[]): Promise<boolean> {
  const { draft } = session.rules
  const drafts = [draft(), ...broken.map(draft), draft()]
  const copied = Object.fromEntries(drafts.map((rule, at) => [`Copy_${at + 1}`, rule]))
  const server = await session.prepare({ copy: copyOf(session, copied) })
  if (!(await server.tryStart())) return false
  const list = await server.rules.read()
  await after(`a start with ${broken.map((rule) => JSON.stringify(rule)).join()} in Copy_N`, () => expectForms(list))
  return list.length > 0
}
