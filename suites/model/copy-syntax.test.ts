import { expect, test } from 'vitest'
import { copyValue, isCopySyntax, publicCopySyntax, takesFollowers } from './copy-syntax.ts'

const rule = { master: 1, follower: 2, mode: 'mult', value: 1.5, direction: 'same' }

test('a rule is written in the public syntax, with any number of followers', () => {
  expect(copyValue(publicCopySyntax, rule)).toBe('1>2,mult,1.5,same')
  expect(copyValue(publicCopySyntax, rule, 3, 4)).toBe('1>2,3,4,mult,1.5,same')
})

test('a rule is written in a custom syntax', () => {
  const syntax = 'from={master};to={follower};{mode} {value} {direction}'
  expect(copyValue(syntax, rule)).toBe('from=1;to=2;mult 1.5 same')
  expect(takesFollowers(syntax)).toBe(false)
})

test('a syntax has a place for every field', () => {
  expect(isCopySyntax(publicCopySyntax)).toBe(true)
  expect(isCopySyntax('{master}>{mode},{value},{direction}')).toBe(false)
})
