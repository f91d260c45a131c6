import {
  expectContents,
  expectEqual,
  expectSameLines,
  expectThat,
  expectUnchanged,
  failure,
  type PlainCode,
} from '../assertions/expect.ts'
import { toJsonValue } from '../assertions/failure-data.ts'
import { contentLine, contentOf, type Draft, describeRule, type Rule, sameContent } from '../model/rule.ts'
import type { Rules } from './rules.ts'

export async function expectKept(rules: Rules, act: () => Promise<unknown>, code?: PlainCode): Promise<void> {
  const before = await rules.read()
  await act()
  expectUnchanged(await rules.read(), before, code)
}

/** Expects that the list has one more rule, the one that was sent, and all others in the same order. */
export function expectAdded(after: readonly Rule[], before: readonly Rule[], draft: Draft): Rule {
  expectEqual('list.length-wrong', after.length, before.length + 1)
  const changed = after.filter((rule, place) => before[place] === undefined || !sameContent(rule, before[place]))
  // Not the last one with this content: a rule may be added before an identical one.
  const sent = changed.find((rule) => sameContent(rule, draft))
  // A rule that is stored otherwise than it was sent has not changed the others.
  const added = sent ?? changed[0]
  expectContents(
    after.filter((rule) => rule !== added),
    before,
    'list.others-changed',
  )
  if (sent !== undefined) return sent
  const actual = added && describeRule(contentOf(added))
  throw failure('rule.missing', { expected: describeRule(draft), actual, length: after.length, difference: null })
}

/** Expects the added rule at the index that the POST returned. */
export function expectAddedAt(list: readonly Rule[], draft: Draft, index: unknown): void {
  const there = list.find((rule) => rule.index === index)
  expectThat(there !== undefined && sameContent(there, draft), 'add.index-wrong', {
    expected: draft,
    actual: there,
    index: toJsonValue(index) ?? null,
    listedAt: list.find((rule) => sameContent(rule, draft))?.index ?? null,
    difference: there === undefined ? 'no rule' : 'other rule',
  })
}

/** Expects the previous list without this rule, and every later index decremented. */
export function expectRemoved(after: readonly Rule[], before: readonly Rule[], rule: Rule): void {
  const rest = before.filter(({ index }) => index !== rule.index)
  const expected = rest.map((kept) => (kept.index > rule.index ? { ...kept, index: kept.index - 1 } : kept))
  expectSameLines('list.other-removed', after.map(contentLine), rest.map(contentLine))
  expectUnchanged(after, expected, 'list.not-shifted')
}
