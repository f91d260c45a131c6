import { expectContents, expectEqual, expectObject, expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import { type Draft, type Rule, sameContent } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

/**
 * Rules that share logins or content with another rule. A server may reject them. If it accepts one,
 * the other rule must stay unchanged.
 */
const relations: readonly {
  readonly addId: string
  readonly removeId: string
  readonly what: string
  /** The related rule; no listed rule has the logins of `other`. */
  readonly relate: (known: Draft, other: Draft) => Draft
}[] = [
  {
    addId: 'CT-491',
    removeId: 'CT-555',
    what: 'the same logins and another value',
    relate: (known, other) => ({ ...known, value: known.value + (Number(other.follower) % 7) + 1 }),
  },
  {
    addId: 'CT-492',
    removeId: 'CT-556',
    what: 'the same follower and another master',
    relate: (known, other) => ({ ...known, master: other.follower }),
  },
  {
    addId: 'CT-493',
    removeId: 'CT-557',
    what: 'identical content',
    relate: (known) => known,
  },
]

const furtherAdditions = [
  {
    addId: 'CT-4911',
    what: 'the same logins and the opposite direction',
    relate: (known: Draft): Draft => ({ ...known, direction: known.direction === 'same' ? 'reverse' : 'same' }),
  },
  {
    addId: 'CT-4912',
    what: 'the same logins and the other mode',
    relate: (known: Draft): Draft => ({ ...known, mode: known.mode === 'fixed' ? 'mult' : 'fixed' }),
  },
  {
    addId: 'CT-494',
    what: 'master and follower swapped',
    relate: (known: Draft): Draft => ({ ...known, master: known.follower, follower: known.master }),
  },
  {
    addId: 'CT-495',
    what: 'an existing follower as both master and follower',
    relate: (known: Draft): Draft => ({ ...known, master: known.follower }),
  },
] as const

const additionChecks = [...relations, ...furtherAdditions].map(
  ({ addId, what, relate }): Check => ({
    id: addId,
    requirement: 'plugin.add.leaves-others',
    title: `POST of a rule with ${what} keeps the existing rule unchanged`,
    risk: 'write',
    async run({ plugin, rules }) {
      const known = rules.draft()
      await rules.arrange([known])
      const before = await rules.read()
      const added = relate(known, rules.draft())
      const response = await plugin.add(added)
      const after = await rules.read()
      if (response.status !== 201) return expectUnchanged(after, before)
      const { index } = expectObject(response)
      expectEqual('list.length-wrong', after.length, before.length + 1)
      expectContents(
        after.filter((rule) => rule.index === index),
        [{ ...added, index: Number(index) }],
        'rule.content-changed',
      )
      expectContents(
        after.filter((rule) => rule.index !== index),
        before,
        'list.others-changed',
      )
    },
  }),
)

/** The list, and the middle one of the related rules in it. */
async function relatedThree(
  { plugin, rules }: Session,
  relate: (known: Draft, other: Draft) => Draft,
): Promise<{ readonly before: readonly Rule[]; readonly middle: Rule }> {
  const known = rules.draft()
  await rules.arrange([known])
  const further = [relate(known, rules.draft()), relate(known, rules.draft())]
  for (const rule of further) await plugin.add(rule)
  const before = await rules.read()
  const own = before.filter((rule) => [known, ...further].some((draft) => sameContent(draft, rule)))
  return { before, middle: own[Math.floor(own.length / 2)] ?? rules.find(before, known) }
}

const removalChecks = relations.map(
  ({ removeId, what, relate }): Check => ({
    id: removeId,
    requirement: 'plugin.delete.removes-that-rule',
    title: `DELETE among rules with ${what} removes only the rule at the index`,
    risk: 'write',
    async run(session) {
      const { before, middle } = await relatedThree(session, relate)
      expectStatus(await session.plugin.remove(middle.index), 200)
      expectContents(
        await session.rules.read(),
        before.filter((rule) => rule.index !== middle.index),
        'list.other-removed',
      )
    },
  }),
)

const restartCheck: Check = {
  id: 'CT-634',
  requirement: 'plugin.persist.added',
  title: 'Accepted rules that share logins or content all survive a stop and a start',
  risk: 'write',
  needs: ['restart'],
  async run({ launch }) {
    const { plugin, rules, restart } = await launch({ list: 'any' })
    const known = rules.draft()
    await rules.arrange([known])
    for (const { relate } of [...relations, ...furtherAdditions]) await plugin.add(relate(known, rules.draft()))
    const before = await rules.read()
    await restart()
    expectContents(await rules.read(), before, 'list.changed-after-restart')
  },
}

/** Clauses 3, 4.2 and 4.3: rules that share logins or content. */
export const relatedRuleChecks: readonly Check[] = [...additionChecks, ...removalChecks, restartCheck]
