import { expect, test } from 'vitest'
import type { Rule } from '../model/rule.ts'
import { safestRemoval } from './clean-up.ts'

/** A capital letter is a rule of the kit. */
function list(names: string): readonly Rule[] {
  return [...names].map((name, index) => {
    return { index, master: name.charCodeAt(0), follower: 1, mode: 'mult', value: 1, direction: 'same' }
  })
}

const isOwn = ({ master }: Rule) => Number(master) < 'a'.charCodeAt(0)

test.for([
  { names: 'abKLM', index: 2, what: 'the first one, so that the next is of the kit' },
  { names: 'abKLMc', index: 2, what: 'the same where another client has added a rule' },
  { names: 'KLMab', index: 2, what: 'the last one where new rules are inserted at the start' },
  { names: 'aKbLM', index: 3, what: 'the one with a neighbour' },
  { names: 'aKbL', index: 3, what: 'the last one if none has a neighbour' },
  { names: 'K', index: 0, what: 'the only one' },
  { names: 'ab', index: undefined, what: 'none' },
])('of $names: $what', ({ names, index }) => {
  expect(safestRemoval(list(names), isOwn)?.index).toBe(index)
})
