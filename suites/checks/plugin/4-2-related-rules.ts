import { expectObject, expectUnchanged } from '../../assertions/expect.ts'
import { after, CannotArrange } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { contentOf, type Draft, describeRule, haveSameLogins, type Rule, sameContent } from '../../model/rule.ts'
import { expectAdded, expectAddedAt, expectKept, expectRemoved } from '../../session/list-changes.ts'
import { toJson } from '../../session/plugin.ts'
import { post, remove } from '../../session/rejected-requests.ts'
import { arranged, findPair, isAccepted, requireSuccess } from '../../session/rules.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import { around, draftIn, judgeEach, removedBy, sendOnce } from '../../session/shared-requests.ts'
import { otherWords } from './documented-words.ts'
import { checks, ownServer, restarting, serverChecks, writing } from './scopes.ts'

/** `count` is 1 for the first rule that is related to `known`, 2 for the second. */
type Relate = (known: Draft, other: Draft, count: number) => Draft

/** The second rule is swapped back, so the first and the last of the three are identical. */
const aroundSwapped = 'master and follower swapped, or swapped back'

/**
 * Rules that share logins or content with another rule. A server may reject them. If it accepts one,
 * the other rule must stay unchanged. No listed rule has the logins of `other`.
 */
const relations: Readonly<Record<string, Relate>> = {
  'the same logins and another value': (known, _, count) => ({ ...known, value: known.value + count }),
  'the same logins and the opposite direction': (known) => ({ ...known, direction: otherWords(known).direction }),
  'the same logins and the other mode': (known) => ({ ...known, mode: otherWords(known).mode }),
  'the same logins and everything else different': (known, _, count) => ({
    ...known,
    ...otherWords(known),
    value: known.value + count,
  }),
  'the same follower and another master': (known, other) => ({ ...known, master: other.follower }),
  'the same follower and everything else different': (known, other, count) => ({
    ...known,
    ...otherWords(known),
    master: other.follower,
    value: known.value + count,
  }),
  'identical content': (known) => known,
  [aroundSwapped]: (known, _, count) =>
    count === 1 ? { ...known, master: known.follower, follower: known.master } : known,
  'an existing follower as both master and follower': (known) => ({ ...known, master: known.follower }),
}

const aroundAnother = 'identical content, with another rule between'

/** Which two rules follow the first one: two that are related to it, or another rule and an identical one. */
const relatedPairs: Readonly<Record<string, Relate>> = {
  ...relations,
  [aroundAnother]: (known, other, count) => (count === 1 ? other : known),
}

const sharesRelated = { ...writing, shares: 'related rules' } as const

/** Which of the listed rules is removed first. With an identical one at the other end, the list shows which it was. */
function firstRemoved(what: string, { length }: readonly Rule[]): number {
  if (what === aroundSwapped) return 0
  return what === aroundAnother ? -1 : Math.floor(length / 2)
}

/**
 * Adds a rule and two more, and removes those that are listed: first the middle one, or one at an end if the two at the
 * ends are identical, and the rest from the end. A running server gets these requests once.
 */
export async function* sendRelated(session: Session, names: readonly string[] = Object.keys(relatedPairs)) {
  let last: HttpResponse | undefined
  for (const [what, relate] of Object.entries(relatedPairs).filter(([name]) => names.includes(name))) {
    const exchanges = sendOnce(
      session,
      `${sharesRelated.shares}: ${what}`,
      last ?? true,
      async function* ({ draft }, sent) {
        const known = draft()
        yield post(toJson(known))
        for (const { response } of sent) requireSuccess(`POST of ${describeRule(known)}`, response)
        await arranged(async () => findPair(around(sent[0]).list, known))
        const further = [1, 2].map((count) => relate(known, draft(), count))
        for (const one of further) yield post(toJson(one))
        for (const turn of [0, 1, 2]) {
          const isOwn = (rule: Rule) => [known, ...further].some((one) => sameContent(one, rule))
          const own = around(sent.at(-1)).list.filter(isOwn)
          const rule = own.at(turn === 0 ? firstRemoved(what, own) : -1)
          if (rule === undefined && turn === 0) throw new CannotArrange(`no rule with ${what} is listed as sent`)
          // A server may have rejected the related rules.
          if (rule === undefined) return
          yield remove(rule.index)
          const { before, list } = around(sent.at(-1))
          if (list.length >= before.length) throw new CannotArrange(`DELETE of a rule with ${what} removed no rule`)
        }
      },
    )
    let place = 0
    for await (const exchange of exchanges) {
      yield { ...exchange, what, isRelated: place > 0 }
      place += 1
      last = exchange.lists.at(-1)
    }
  }
}

/** Removes the last rule with this content: of identical ones a server may remove the first one from the file. */
async function removeLast({ plugin, rules }: LaunchedServer, removed: Draft): Promise<void> {
  const before = await arranged(() => rules.read())
  const last = before.findLast((rule) => sameContent(rule, removed))
  const what = `DELETE of ${describeRule(removed)}`
  if (last === undefined) throw new CannotArrange(`${what}: no such rule is listed`)
  requireSuccess(what, await plugin.remove(last.index))
  const { length } = await arranged(() => rules.read())
  if (length >= before.length) throw new CannotArrange(`${what} removed no rule`)
}

/** Clauses 3, 4.2 and 4.3: rules that share logins or content. */
export const relatedRuleChecks = [
  ...checks(sharesRelated, 'plugin.add.leaves-others', {
    'CT-491 POST of a rule that shares logins or content with another rule keeps that rule unchanged': (session) =>
      judgeEach(sendRelated(session), async (exchange) => {
        if (!exchange.isRelated || exchange.request.method !== 'POST') return
        const { before, list } = around(exchange)
        await after(`POST of a rule with ${exchange.what}`, () => {
          if (isAccepted(exchange.response)) expectAdded(list, before, draftIn(exchange))
          else expectUnchanged(list, before)
        })
      }),
  }),
  ...serverChecks(ownServer, 'plugin.add.leaves-others', {
    'CT-492 POST of a rule with a login that is equal in 32 bits to that of another rule keeps that rule unchanged':
      async ({ rules, plugin }) => {
        for (const field of ['master', 'follower'] as const) {
          const [known] = await rules.arrange([rules.draft()])
          const before = await rules.read()
          const draft = rules.draft({ ...contentOf(known), [field]: Number(known[field]) + 2 ** 32 })
          await after(`POST with a ${field} above 2^32`, async () => {
            if (isAccepted(await plugin.add(draft))) expectAdded(await rules.read(), before, draft)
          })
        }
      },
  }),
  ...checks(sharesRelated, 'plugin.add.index-of-new-rule', {
    'CT-4075 An accepted POST of a rule with the logins of another one returns the index of the new rule': (session) =>
      judgeEach(sendRelated(session, ['the same logins and another value']), (exchange) => {
        const { request, response, isRelated } = exchange
        // Whether a rule with the same logins is accepted is a question.
        if (isRelated && request.method === 'POST' && isAccepted(response))
          expectAddedAt(around(exchange).list, draftIn(exchange), expectObject(response).index)
      }),
  }),
  ...checks(sharesRelated, 'plugin.delete.keeps-order', {
    'CT-555 DELETE among rules that share logins or content removes only the rule at the index': (session) =>
      judgeEach(sendRelated(session), async (exchange) => {
        const { response, what, isRelated } = exchange
        const { before, list } = around(exchange)
        const rule = removedBy(exchange)
        if (rule !== undefined) await after(`POST of rules with ${what}`, () => expectRemoved(list, before, rule))
        else if (isRelated && list.length - before.length !== Number(isAccepted(response)))
          throw new CannotArrange(`the list does not show whether a rule with ${what} was accepted`)
      }),
  }),
  ...serverChecks(restarting, 'plugin.persist.list', {
    'CT-634 Accepted rules that share logins or content survive a stop and a start, before and after a DELETE': async (
      server,
    ) => {
      const { rules, restart } = server
      const known = rules.draft()
      await rules.arrange([known])
      const accepted = await rules.offer(Object.values(relations).map((relate) => relate(known, rules.draft(), 1)))
      await expectKept(rules, restart, 'list.changed-after-restart')
      const removed =
        accepted.find((draft) => sameContent(draft, known)) ??
        accepted.findLast((draft) => haveSameLogins(draft, known))
      // A server may have rejected all rules with these logins.
      if (removed === undefined) return
      // No other change follows before the stop, since it may save the whole list.
      await removeLast(server, removed)
      await expectKept(rules, restart, 'list.changed-after-restart')
    },
  }),
]
