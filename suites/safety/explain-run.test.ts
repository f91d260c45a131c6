import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Draft, Rule } from '../model/rule.ts'
import { defaultLogins } from '../session/logins.ts'
import { attribute, explainRun } from './explain-run.ts'
import { openLedger, readLedger } from './ledger.ts'

/** Rules by name, one character each, in the order of the text. */
function list(names: string): readonly Rule[] {
  return [...names].map((name, index) => ({ index, ...rule(name) }))
}

function rule(name: string): Draft {
  const login = name.charCodeAt(0)
  return { master: login, follower: 1_000 + login, mode: 'mult', value: 1, direction: 'same' }
}

const namesOf = (rules: readonly Draft[]) => rules.map(({ master }) => String.fromCharCode(Number(master))).join('')

interface Case {
  readonly what: string
  readonly before: string
  readonly after: string
  readonly lost?: string
  readonly possiblyLost?: string
  readonly restored?: string
  readonly recorded?: string
  readonly moved?: string
  readonly byOthers?: readonly string[]
}

test.for<Case>([
  { what: 'nothing', before: 'abc', after: 'abc' },
  { what: 'a rule that was added again', before: 'abc', after: 'acb', restored: 'b', moved: 'b' },
  { what: 'one that was added again in its place', before: 'abc', after: 'abc', restored: 'c' },
  { what: 'one that was added again at the start', before: 'abc', after: 'cab', restored: 'c', moved: 'c' },
  { what: 'one of two equal rules', before: 'abca', after: 'bcaa', restored: 'a', moved: 'a' },
  { what: 'a rule that is lost', before: 'abc', after: 'ac', lost: 'b' },
  {
    what: 'a rule that is lost beside one added again',
    before: 'abcd',
    after: 'acb',
    lost: 'd',
    restored: 'b',
    moved: 'b',
  },
  { what: 'an order of another client', before: 'abc', after: 'acb', byOthers: ['order'] },
  { what: 'an order of both', before: 'abcd', after: 'dacb', restored: 'b', byOthers: ['order'] },
  { what: 'a removal of both', before: 'abc', after: 'a', lost: 'b', byOthers: ['missing'] },
  {
    what: 'a removal beside a rule added again',
    before: 'abcd',
    after: 'acb',
    restored: 'b',
    moved: 'b',
    byOthers: ['missing'],
  },
  { what: 'a rule that is possibly lost', before: 'abc', after: 'ac', possiblyLost: 'b' },
  {
    what: 'a rule that came during the run and was added again',
    before: 'ab',
    after: 'abdc',
    restored: 'c',
    recorded: 'c',
    moved: 'c',
    byOthers: ['added', 'added'],
  },
  {
    what: 'a rule that was added again behind one that came during the run',
    before: 'abc',
    after: 'abdc',
    restored: 'c',
    recorded: 'c',
    moved: 'c',
    byOthers: ['added'],
  },
  { what: 'an addition', before: 'ab', after: 'abc', byOthers: ['added'] },
])(
  '$what: $before to $after',
  ({ before, after, lost = '', possiblyLost = '', restored = '', recorded = '', moved = '', byOthers = [] }) => {
    const [gone, perhaps, back] = [lost, possiblyLost, restored].map((names) => [...names].map(rule)) as [
      Draft[],
      Draft[],
      Draft[],
    ]
    const found = attribute(list(before), list(after), {
      ...{ lost: gone, possiblyLost: perhaps, restored: back },
      moved: list(recorded),
    })
    expect(namesOf(found.moved)).toBe(moved)
    expect(found.byOthers).toEqual(byOthers.map((word) => expect.stringContaining(word)))
  },
)

/** What a run did to a list whose rules have these members besides the documented ones: it added the rule `b` again. */
function afterAddingAgain(further: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const before = list('ab')
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const opening = {
    schema: 'copytrade-tck/ledger@1',
    target: 'http://a',
    startedAt: '',
    logins: defaultLogins,
  } as const
  ledger.append({ event: 'open', ...opening, further, before })
  ledger.append({ event: 'lost', rules: [rule('b')] })
  ledger.append({ event: 'put-back', rule: rule('b') })
  ledger.append({ event: 'is-back', rule: rule('b') })
  ledger.close()
  return explainRun(readLedger(ledger.file), before, { list: before, left: [] }, true)
}

test('a rule that was added again without its further members is not as before', () => {
  expect(afterAddingAgain(['comment'])).toMatchObject({
    incomplete: [rule('b')],
    further: ['comment'],
    isAsBefore: false,
  })
  expect(afterAddingAgain([])).toMatchObject({ incomplete: [], isAsBefore: true })
})
