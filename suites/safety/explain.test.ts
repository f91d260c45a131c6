import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, test } from 'vitest'
import { seed } from '../../fixtures/test-size.ts'
import type { Rule } from '../model/rule.ts'
import {
  type Explanation,
  effectOf,
  explain,
  isSameHarm,
  type ListStep,
  type Operation,
  removalCandidates,
} from './explain.ts'

/** Rules by name, one character each, in the order of the text. */
function list(names: string): readonly Rule[] {
  return [...names].map((name, index) => {
    const login = name.charCodeAt(0)
    return { index, master: login, follower: 1_000 + login, mode: 'mult', value: 1, direction: 'same' }
  })
}

function candidates(before: string, after: string, position: number | null): string {
  const { rules, unlisted } = removalCandidates(list(before), list(after), position)
  const names = rules.map(({ master }) => String.fromCharCode(Number(master)))
  return [...new Set(names), ...(unlisted ? ['?'] : [])].join('')
}

function without(names: string, at: number): string {
  return names.slice(0, at) + names.slice(at + 1)
}

interface Case {
  readonly what: string
  readonly before: string
  readonly after: string
  readonly at: number | null
  readonly removed: string
}

test.for<Case>([
  { what: 'the rule at the index', before: 'abKcd', after: 'abcd', at: 2, removed: 'K' },
  { what: 'the next one, after an earlier rule was removed', before: 'abKcde', after: 'aKde', at: 2, removed: 'c' },
  {
    what: 'either of two, if any of them may have gone first',
    before: 'abKcdefg',
    after: 'Kefg',
    at: 2,
    removed: 'cd',
  },
  { what: 'either of two that are missing', before: 'abKcde', after: 'abde', at: 2, removed: 'Kc' },
  { what: 'the own rule, if only an earlier one is missing too', before: 'abKcde', after: 'acde', at: 2, removed: 'K' },
  { what: 'a rule that was appended unseen', before: 'abcK', after: 'abK', at: 3, removed: '?' },
  { what: 'the last rule or one that was appended unseen', before: 'abKc', after: 'aK', at: 2, removed: 'c?' },
  { what: 'none, if the rules behind it are all there', before: 'abcKL', after: 'abKL', at: 3, removed: '' },
  { what: 'none, for an index that is no number', before: 'abc', after: 'ab', at: null, removed: '' },
  { what: 'none, far behind the end', before: 'abc', after: 'ab', at: 9, removed: '' },
  { what: 'any missing rule, if others were inserted elsewhere', before: 'abKc', after: 'xaK', at: 2, removed: 'bc?' },
  { what: 'the one of two equal rules that can be it', before: 'aabKcde', after: 'abKde', at: 3, removed: 'c' },
])('$what: $before to $after', ({ before, after, at, removed }) => {
  expect(candidates(before, after, at)).toBe(removed)
})

test('the removed rule is a candidate, whatever other clients do around the DELETE', () => {
  const random = xorshift128plus(seed)
  let unique = 0
  for (let round = 0; round < 5_000; round += 1) {
    // Some of the rules are equal.
    const before = 'abcdabcd'.slice(uniformInt(random, 0, 3), uniformInt(random, 4, 8))
    const position = uniformInt(random, 0, before.length - 1)
    const added = [...'stuvwxyz']
    let now = before
    const edit = () => {
      if (uniformInt(random, 0, 1) === 0 && now !== '') now = without(now, uniformInt(random, 0, now.length - 1))
      else now += added.pop()
    }
    for (let edits = uniformInt(random, 0, 4); edits > 0; edits -= 1) edit()
    const removed = now[position]
    if (removed === undefined) continue
    now = without(now, position)
    for (let edits = uniformInt(random, 0, 4); edits > 0; edits -= 1) edit()

    const found = candidates(before, now, position)
    const known = before.includes(removed) ? removed : '?'
    expect(found, `seed ${seed}: ${before} to ${now}, DELETE ${position} removed ${removed}`).toContain(known)
    // A single candidate must be the removed rule, so that no rule that another client removed is added again.
    if (found.length === 1 && found !== '?') unique += 1
  }
  expect(unique).toBeGreaterThan(100)
})

/** A capital letter is a rule of the kit. */
const isOwn = ({ master }: Rule) => Number(master) < 'a'.charCodeAt(0)

const add: Operation = { kind: 'add' }
const removeAt = (index: number | null): Operation => ({ kind: 'remove', index })

function step(operation: Operation, status: number | null, before: string, after: string): ListStep {
  return { operation, status, exchange: null, before: list(before), after: list(after) }
}

test.for<[what: string, step: ListStep, kind: Explanation['kind'] | undefined]>([
  ['an addition', step(add, 201, 'ab', 'abK'), undefined],
  ['an addition beside one of another client', step(add, 201, 'ab', 'abKc'), undefined],
  ['an addition with a loss', step(add, 201, 'ab', 'bK'), 'ambiguous'],
  ['an addition that moves a rule', step(add, 201, 'ab', 'baK'), 'ambiguous'],
  ['a removal', step(removeAt(2), 200, 'abK', 'ab'), undefined],
  ['a removal without a response', step(removeAt(2), null, 'abK', 'ab'), undefined],
  ['a removal that is rejected', step(removeAt(2), 404, 'abK', 'abK'), undefined],
  ['a rejected removal with a loss', step(removeAt(9), 404, 'abK', 'aK'), 'ambiguous'],
  ['a removal of another rule of the kit', step(removeAt(1), 200, 'aKL', 'aK'), undefined],
  ['a DELETE of no index that takes a rule of the kit', step(removeAt(null), 200, 'aK', 'a'), undefined],
  ['a removal whose index another client has moved', step(removeAt(2), 200, 'abKcd', 'aKd'), 'hit'],
  ['a removal of the rule before', step(removeAt(2), 200, 'abK', 'aK'), 'ambiguous'],
])('%s is explained', ([_, given, kind]) => {
  expect(explain(given, isOwn)?.kind).toBe(kind)
})

test.for<[what: string, step: ListStep, effect: ReturnType<typeof effectOf>]>([
  ['an addition with a loss', step(add, 201, 'ab', 'bK'), 'harm'],
  ['an addition that does not last', step(add, 201, 'ab', 'ab'), 'harm'],
  ['an addition that is rejected', step(add, 500, 'ab', 'ab'), 'harmless'],
  ['an addition with a loss beside another client', step(add, 201, 'ab', 'bKc'), 'unclear'],
  ['a removal of the rule before', step(removeAt(2), 200, 'aKLM', 'aLM'), 'harm'],
  ['a removal of nothing', step(removeAt(2), 200, 'aKLM', 'aKLM'), 'harmless'],
  ['a removal', step(removeAt(2), 200, 'aKLM', 'aKM'), 'unclear'],
])('the effect of repeating %s', ([_, given, effect]) => {
  expect(effectOf(given, isOwn)).toBe(effect)
})

test.for<[what: string, first: ListStep, second: ListStep, isSame: boolean]>([
  ['the first', step(add, 201, 'abc', 'bcK'), step(add, 201, 'bcK', 'cKL'), true],
  ['the last', step(add, 500, 'abc', 'ab'), step(add, 500, 'ab', 'a'), true],
  ['the one before', step(removeAt(3), 200, 'abcK', 'abK'), step(removeAt(2), 200, 'abK', 'aK'), true],
  ['the first and the second', step(add, 201, 'abc', 'bcK'), step(add, 201, 'bcK', 'bKL'), false],
  ['none, in the same new order', step(add, 201, 'abc', 'cbaK'), step(add, 201, 'cbaK', 'abcKL'), true],
  ['none, in another new order', step(add, 201, 'abc', 'bacK'), step(add, 201, 'bacK', 'bcaKL'), false],
])('harm is the same if the lost rules had the same position: %s', ([_, first, second, isSame]) => {
  expect(isSameHarm([first, second], isOwn)).toBe(isSame)
})
