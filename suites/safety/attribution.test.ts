import { expect, test } from 'vitest'
import type { Draft, Rule } from '../vocabulary/rule.ts'
import { attribute } from './attribution.ts'

/** Rules by name, one sign each, in the order of the text. */
function list(names: string): readonly Rule[] {
  return [...names].map((name, index) => ({ index, ...rule(name) }))
}

function rule(name: string): Draft {
  const login = name.charCodeAt(0)
  return { master: login, follower: 1_000 + login, mode: 'mult', value: 1, direction: 'same' }
}

const namesOf = (rules: readonly Draft[]) => rules.map(({ master }) => String.fromCharCode(Number(master))).join('')

test.for([
  { what: 'nothing', before: 'abc', after: 'abc', lost: '', putBack: '', moved: '', byOthers: [] },
  { what: 'a rule that was put back', before: 'abc', after: 'acb', lost: '', putBack: 'b', moved: 'b', byOthers: [] },
  {
    what: 'one that was put back in its place',
    before: 'abc',
    after: 'abc',
    lost: '',
    putBack: 'c',
    moved: '',
    byOthers: [],
  },
  {
    what: 'one that was put back at the start',
    before: 'abc',
    after: 'cab',
    lost: '',
    putBack: 'c',
    moved: 'c',
    byOthers: [],
  },
  { what: 'one of two equal rules', before: 'abca', after: 'bcaa', lost: '', putBack: 'a', moved: 'a', byOthers: [] },
  { what: 'a rule that is lost', before: 'abc', after: 'ac', lost: 'b', putBack: '', moved: '', byOthers: [] },
  {
    what: 'an order of somebody else',
    before: 'abc',
    after: 'acb',
    lost: '',
    putBack: '',
    moved: '',
    byOthers: ['order'],
  },
  { what: 'an order of both', before: 'abcd', after: 'dacb', lost: '', putBack: 'b', moved: '', byOthers: ['order'] },
  { what: 'a removal of both', before: 'abc', after: 'a', lost: 'b', putBack: '', moved: '', byOthers: ['missing'] },
  {
    what: 'a removal beside a rule that was put back',
    before: 'abcd',
    after: 'acb',
    lost: '',
    putBack: 'b',
    moved: 'b',
    byOthers: ['missing'],
  },
  { what: 'an addition', before: 'ab', after: 'abc', lost: '', putBack: '', moved: '', byOthers: ['left behind'] },
])('$what: $before to $after', ({ before, after, lost, putBack, moved, byOthers }) => {
  const found = attribute(list(before), list(after), { lost: [...lost].map(rule), putBack: [...putBack].map(rule) })
  expect(namesOf(found.moved)).toBe(moved)
  expect(found.byOthers).toEqual(byOthers.map((word) => expect.stringContaining(word)))
})
