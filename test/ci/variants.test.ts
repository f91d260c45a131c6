import { expect, test } from 'vitest'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { command } from '../command.ts'
import { judgeForeign } from '../judge-foreign.ts'
import { variantCommand, variants } from '../judge-variants.ts'

const capacity = 16
const defaultPort = 'plugin.limits.default-port'

/** Variants that one server can have at once. The proof judges a server with each of them alone. */
const together: readonly (readonly string[])[] = [
  [
    'slash-at-the-end-ignored',
    'error-text-with-numbers',
    'copy-in-another-syntax',
    'answers-in-pieces',
    'sorted-list',
    'empty-texts',
  ],
  ['bearer-of-rfc-6750', 'copy-spelled-freely', 'http-1.0', 'integers-as-doubles', 'long-error-texts'],
  ['members-of-other-answers', 'many-headers', 'errors-close-the-connection', 'connections-of-three-requests'],
  ['success-false', 'values-as-floats', 'rule-is-no-path-for-others', 'error-text-with-request'],
]
/** Each of its many starts takes seconds, so only the proof includes all of them. */
const slow = 'slow-start-and-stop'

/** Variants that matter for these checks only. */
const narrow: Readonly<Record<string, readonly string[]>> = {
  'stop-waits-for-connections': ['CT-601', 'CT-606'],
  'two-connections': ['CT-614', 'CT-956', 'CT-957', 'CT-958', 'CT-959'],
  'one-request-at-a-time': ['CT-614', 'CT-956', 'CT-957', 'CT-958', 'CT-959'],
  'saves-later': ['CT-616', 'CT-632'],
}
const ofNarrow = Object.entries(narrow).map(([name, ids]) => ({
  names: [name],
  only: ids.flatMap((id) => ['--only', id]),
}))

const servers = isProof
  ? [...variants.filter(({ name }) => !(name in narrow)).map(({ name }) => ({ names: [name], only: [] })), ...ofNarrow]
  : [
      ...someOf(together, 2).map((names) => ({ names, only: [] })),
      { names: [slow], only: ['--only', 'CT-601'] },
      ...ofNarrow,
    ]
const onlyRequired = new Set(variants.filter((one) => one.onlyRequired).map(({ name }) => name))

test.concurrent.for(servers)(
  `the conforming server with $names is not accused (TCK_SEED=${seed})`,
  { timeout: 600_000 },
  async ({ names, only }, { onTestFinished: onEnd, expect }) => {
    const level = names.some((name) => onlyRequired.has(name)) ? [] : ['--strict']
    const scope = [...level, '--capacity', `${capacity}`, '--skip', defaultPort, ...only]
    const args = ['run', ...scope, '--seed', `${seed}`, '--exec', variantCommand(names, capacity)]
    const { code, stdout, stderr } = await command(args, { onEnd })
    expect(code, stdout + stderr).toBe(0)
  },
)

test('each variant is judged and has a unique name', () => {
  const names = variants.map(({ name }) => name)
  expect([...together.flat(), slow, ...Object.keys(narrow)].toSorted()).toEqual(names.toSorted())
})

test('a sorted list is not mistaken for insertion order', async () => {
  // With this seed three random rules happen to have ascending masters.
  const settings = { only: ['CT-971'], seed: 2_052_717_909 }
  const outcomes = await judgeForeign(variantCommand(['sorted-list'], capacity), settings, capacity)
  expect(outcomes.map(({ check, status }) => [check, status])).toEqual([['CT-971', 'passed']])
})
