import { describe, expect, test } from 'vitest'
// @ts-expect-error A script without declarations.
import { mutate } from './mutants.js'

interface Mutant {
  readonly id: number
  readonly line: number
  readonly kind: string
  readonly text: string
}

const source = `
import { expectStatus } from './expect.ts'

async function expectAll(items: readonly number[], send: (item: number) => Promise<number>) {
  for (const item of items) expectStatus(await send(item), 200)
}

export const checks = {
  'CT-1 Requests succeed': async ({ send }: { send: (item: number) => Promise<number> }) => {
    await expectAll([1, 2, 3], send)
    if (await send(4)) send(5)
    for (let n = 0; n < 3; n++) {
      await send(6)
    }
    if ((await send(7)) === 404) return
    await after('the last request', async () => expectStatus(await send(8), 200))
  },
  'CT-2 One request succeeds': sendOne,
}

function sendOne({ send }) {
  return send(9)
}
`

/** The items that the checks send while a mutant is active. */
async function sentWith(active: number | null): Promise<readonly number[]> {
  const { code } = mutate('checks.ts', source, 0) as { code: string }
  const plain = code
    .replace(/^import.*$/m, '')
    .replace(/: readonly number\[\]|: \(item: number\) => Promise<number>|: \{ send[^}]*\}/g, '')
    .replace('export const checks =', 'return')
  const isActive = (id: number) => id === active
  const globals = {
    tckMutant: isActive,
    tckExpectation: (id: number, expectation: unknown) => (isActive(id) ? () => undefined : expectation),
    tckItems: (id: number, items: unknown[]) => (isActive(id) ? items.slice(0, 1) : items),
    tckHolds: (always: number, never: number | null, holds: unknown) => isActive(always) || (!isActive(never) && holds),
    after: (_what: string, act: () => Promise<void>) => act(),
    expectStatus: (status: number, expected: number) => {
      if (status !== expected) throw new Error('a failed expectation')
    },
  }
  const made = new Function(...Object.keys(globals), plain)(...Object.values(globals))
  const sent: number[] = []
  const send = async (item: number) => {
    sent.push(item)
    return 200
  }
  for (const run of Object.values<(session: object) => Promise<void>>(made)) await run({ send })
  return sent
}

describe('the mutants of a module of checks', () => {
  const { mutants } = mutate('checks.ts', source, 0) as { mutants: readonly Mutant[] }
  const idOf = (kind: string) => mutants.find((mutant) => mutant.kind === kind)?.id ?? -1

  test('name the position and the kind of each change', () => {
    expect(mutants.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '5 first item only',
      '5 no expectation',
      '9 returns at once',
      '10 no expectation',
      '11 condition always true',
      '11 condition always false',
      '12 one turn only',
      '15 condition always true',
      '16 no expectation',
      '18 returns at once',
    ])
  })

  test('change nothing while none is active', async () => {
    expect(await sentWith(null)).toEqual([1, 2, 3, 4, 5, 6, 6, 6, 7, 8, 9])
  })

  test.for([
    ['first item only', [1, 4, 5, 6, 6, 6, 7, 8, 9]],
    ['returns at once', [9]],
    ['condition always false', [1, 2, 3, 4, 6, 6, 6, 7, 8, 9]],
    ['one turn only', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ] as const)('of the kind "%s" do what their name says', async ([kind, sent]) => {
    expect(await sentWith(idOf(kind))).toEqual(sent)
  })
})
