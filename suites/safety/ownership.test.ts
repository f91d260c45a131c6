import { expect, test } from 'vitest'
import type { Rule } from '../model/rule.ts'
import { defaultLogins } from '../session/logins.ts'
import { createOwnership } from './ownership.ts'

const [one, two, three] = [900_000_001, 900_000_002, 900_000_003]

function rule(master: unknown, follower: unknown): Rule {
  return { index: 0, master, follower, mode: 'mult', value: 1, direction: 'same' } as Rule
}

function ownershipAfter(...texts: readonly string[]) {
  const ownership = createOwnership(defaultLogins, [])
  for (const text of texts) ownership.note(text)
  return ownership
}

const body = (master: unknown, follower: unknown) => JSON.stringify({ master, follower, mode: 'mult', value: 1 })

function inChunks(text: string, length: number): string {
  const parts = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []
  return parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
}

test.for<[string, string, Rule]>([
  ['that it sent', body(one, two), rule(one, two)],
  ['that the server turned round', body(one, two), rule(two, one)],
  ['of which the server lost a half', body(one, two), rule(one, 0)],
  ['of which the server lost a member', body(one, two), rule(undefined, two)],
  ['whose other login the server changed, as it was none of the range', body(2 ** 40, two), rule(0, two)],
  ['whose logins were written as texts', body(String(one), String(two)), rule(one, two)],
  ['whose logins were written with an exponent', '{"master":9.00000001e8,"follower":900000002.0}', rule(one, two)],
  ['whose logins were written in hundredths', '{"master":90000000100e-2,"follower":90000000200e-2}', rule(one, two)],
  ['whose logins were split into chunks', inChunks(body(one, two), 1), rule(one, two)],
  ['of which one login was split into chunks', inChunks(body(one, two), 14), rule(one, two)],
  [
    'of which one login was split into chunks with an extension',
    inChunks(body(one, two), 14).replaceAll(/^(\w+)\r$/gm, '$1;note="a;b"\r'),
    rule(one, two),
  ],
  [
    'of which a member was sent twice',
    '{"master":900000001,"master":900000002,"follower":900000003}',
    rule(one, three),
  ],
])('a rule %s is the kit’s own', ([_, sent, listed]) => {
  expect(ownershipAfter(sent).owns(listed)).toBe(true)
})

test.for<[string, Rule]>([
  ['with one of its logins', rule(4711, two)],
  ['with two of its logins that were never in one request', rule(one, three)],
  ['with a login of the range that was never sent', rule(4711, 900_000_500)],
  ['without any', rule(4711, 4712)],
])('a foreign rule %s is not the kit’s own', ([_, listed]) => {
  expect(ownershipAfter(body(one, two), body(two, three)).owns(listed)).toBe(false)
})

test('an existing rule is not the kit’s own, whatever is sent', () => {
  const ownership = createOwnership(defaultLogins, [rule(one, two)])
  ownership.note(body(one, two))
  expect(ownership.owns(rule(one, two))).toBe(false)
})

test('rules of an earlier process are recognised by the logins in its requests', () => {
  const ownership = createOwnership(defaultLogins, [])
  ownership.remember(ownershipAfter().note(body(one, two)))
  expect([ownership.owns(rule(one, two)), ownership.owns(rule(one, three))]).toEqual([true, false])
})
