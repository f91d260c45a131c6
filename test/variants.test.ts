import { expect, test } from 'vitest'
import { choiceSeed, someOf } from '../fixtures/servers/some-of.ts'
import { judgeForeign } from './judge-foreign.ts'
import { variantCommand, variants } from './judge-variants.ts'

const capacity = 16

/** Several variants at once save starts; `test/outside` judges each alone, by every check. */
const servers: readonly { readonly names: readonly string[]; readonly only: readonly string[] }[] = [
  {
    names: [
      'slash-at-the-end-ignored',
      'error-text-with-numbers',
      'bearer-of-rfc-6750',
      'copy-in-another-syntax',
      'members-of-other-answers',
    ],
    only: ['plugin.delete.index-*', 'plugin.auth.*-key', 'plugin.start.*', 'plugin.errors.404-*'],
  },
  {
    names: ['success-false', 'sorted-list', 'connections-of-three-requests', 'many-headers', 'empty-texts'],
    only: ['plugin.add.answer-*', 'plugin.add.index-*', 'plugin.delete.*', 'plugin.http.k*', 'plugin.status.*'],
  },
  {
    names: ['http-1.0', 'integers-as-doubles', 'long-error-texts'],
    only: ['plugin.rule.*', 'plugin.list.*', 'plugin.http.k*', 'plugin.http.p*', 'plugin.errors.*'],
  },
]

test.concurrent.for(someOf(servers, 1))(
  `no check accuses the server with ${'%j'} (TCK_SEED=${choiceSeed})`,
  async ({ names, only }) => {
    const outcomes = await judgeForeign(variantCommand(names, capacity), { only, seed: 5 }, capacity)
    expect(outcomes.length).toBeGreaterThan(15)
    const accused = outcomes.filter(({ status }) => ['failed', 'blocked', 'error'].includes(status))
    const lowered = ['CT-419', 'CT-420']
    expect(
      accused.filter(({ check }) => !lowered.includes(check)).map(({ check, message }) => `${check} ${message}`),
    ).toEqual([])
  },
)

test('a sorted list is not mistaken for the order of insertion', async () => {
  // With this seed three random rules have ascending masters.
  const settings = { only: ['CT-971'], seed: 2_052_717_909 }
  const outcomes = await judgeForeign(variantCommand(['sorted-list'], capacity), settings, capacity)
  expect(outcomes.map(({ check, status }) => [check, status])).toEqual([['CT-971', 'passed']])
})

test('every variant has a name of its own', () => {
  const names = variants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
