import { describe, expect, test } from 'vitest'
import type { ListedRule, Passed } from '../../fixtures/proxies/serialising.ts'
import { claimsOf } from './claims.ts'
import { type ActualChanges, actualChanges, contentOf } from './oracle.ts'
import { judgeRound, type RoundOutcome } from './verdict.ts'

/** Foreign rules have small numbers, rules of the kit numbers from 900000000. */
function list(...masters: readonly number[]): ListedRule[] {
  return masters.map((master, index) => ({
    ...{ index, master, follower: master + 1, mode: 'mult', value: 1, direction: 'same' },
  }))
}
const own = 900_000_001
const text = (master: number) => list(master).map(contentOf).join('')

type Change = readonly [by: Passed['by'], method: string, path: string, after: readonly number[]]

/** A log in which each entry starts with the list that the previous one left. */
function changesAfter(first: readonly number[], ...changes: readonly Change[]): ActualChanges {
  let before = list(...first)
  const passed = changes.map(([by, method, path, masters]): Passed => {
    const after = list(...masters)
    const entry = { by, method, path, body: '', status: 200, before, after }
    before = after
    return entry
  })
  return actualChanges({ first: list(...first), passed, last: before })
}

const unseenReplacement: readonly Change[] = [
  ['kit', 'GET', '/api/rules', [1, 2, own]],
  ['other', 'DELETE', '/api/rules/2', [1, 2]],
  ['other', 'POST', '/api/rules', [1, 2, 7]],
  ['kit', 'DELETE', '/api/rules/2', [1, 2]],
  ['kit', 'GET', '/api/rules', [1, 2]],
]
const shifted: readonly Change[] = [
  ['kit', 'POST', '/api/rules', [1, 2, own]],
  ['other', 'POST', '/api/rules', [1, 2, own, 3]],
  ['other', 'DELETE', '/api/rules/0', [2, own, 3]],
  ['kit', 'DELETE', '/api/rules/2', [2, own]],
]

describe('the log of the proxy', () => {
  test.each<[string, ActualChanges, Partial<ActualChanges>]>([
    [
      'a rule that the kit removed is lost',
      changesAfter([1, 2], ['kit', 'DELETE', '/0', [2]]),
      { lost: [text(1)], hits: 1 },
    ],
    [
      'a rule that its owner removed is not lost',
      changesAfter([1, 2], ['other', 'DELETE', '/0', [2]]),
      { lost: [], removedByOther: [text(1)] },
    ],
    [
      'an index that shifted costs the rule behind it',
      changesAfter([1, 2], ...shifted),
      { lost: [text(3)], takenByKit: [text(3)], removedByOther: [text(1)], left: [text(own)] },
    ],
    [
      'a rule that the kit adds after its owner removed it is revived',
      changesAfter([1, 2], ['other', 'DELETE', '/0', [2]], ['kit', 'POST', '/', [2, 1]]),
      { revived: [text(1)], lost: [] },
    ],
    [
      'a rule that its owner adds again is neither',
      changesAfter([1, 2], ['other', 'DELETE', '/0', [2]], ['other', 'POST', '/', [2, 1]]),
      { revived: [], lost: [], reordered: false },
    ],
    [
      'a rule that is in the list and added by the kit is a duplicate',
      changesAfter([1], ['kit', 'POST', '/', [1, 1]]),
      { duplicated: [text(1)] },
    ],
    [
      'a rule that comes back at another place has another order',
      changesAfter([1, 2], ['kit', 'DELETE', '/0', [2]], ['kit', 'POST', '/', [2, 1]]),
      { reordered: true, lost: [] },
    ],
    [
      'rules that another client inserts at the start keep the order',
      changesAfter([1, own], ['other', 'POST', '/', [5, 1, own]], ['other', 'POST', '/', [6, 5, 1, own]]),
      { reordered: false, lost: [] },
    ],
    [
      'a rule between two reads, in the place of a rule of the kit, is invisible',
      changesAfter([1, 2, own], ...unseenReplacement),
      { lost: [text(7)], invisible: [text(7)] },
    ],
    [
      'a rule is not invisible where a list shows that another rule is missing',
      changesAfter(
        [1, 2, own],
        ...unseenReplacement.slice(0, 1),
        ['other', 'DELETE', '/api/rules/1', [1, own]],
        ['other', 'POST', '/api/rules', [1, own, 7]],
        ['kit', 'DELETE', '/api/rules/2', [1, own]],
        ['kit', 'GET', '/api/rules', [1, own]],
      ),
      { lost: [text(7)], invisible: [] },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual).toMatchObject(expected)
  })
})

describe('the output of the kit', () => {
  const lost = changesAfter([1, 2], ['kit', 'DELETE', '/0', [2]])
  const removed = changesAfter([1, 2], ['other', 'DELETE', '/0', [2]])
  const at = (output: string, code: number) => claimsOf([{ command: 'run', code, signal: null, output, report: null }])
  const readded = (...reads: readonly Change[]) =>
    changesAfter([1, 2, own], ['other', 'DELETE', '/0', [2, own]], ['other', 'POST', '/', [2, own, 1]], ...reads, [
      'kit',
      'DELETE',
      '/2',
      [2, own],
    ])
  const justAdded = 'a request of the kit may have removed a rule that another client had just added'
  const common = { conforming: true, contested: true }

  test.each<[string, RoundOutcome, ActualChanges, string, number]>([
    ['a loss without a word', 'unnamed loss', lost, '', 3],
    ['a loss that is given to another client', 'unnamed loss', lost, `missing: ${text(1)}`, 5],
    [
      'a loss that was reported as an addition',
      'unnamed loss',
      lost,
      `another client changed the list: added: ${text(1)}`,
      5,
    ],
    [
      'a loss that only a list shows',
      'unnamed loss',
      lost,
      `the list before (rules: 2), where it differs: ${text(1)}`,
      5,
    ],
    ['a loss with the wrong exit code', 'unnamed loss', lost, `disappeared with a request of the kit: ${text(1)}`, 3],
    ['a loss that is named', 'named', lost, `disappeared with a request of the kit: ${text(1)}`, 5],
    ['a loss of what its owner had just added again', 'named', readded(), justAdded, 5],
    [
      'the same of a rule that the kit has seen in the list',
      'unnamed loss',
      readded(['kit', 'GET', '/', [2, own, 1]]),
      justAdded,
      5,
    ],
    ['the removal of another client', 'exact', removed, `missing: ${text(1)}`, 3],
    [
      'the removal of another client as one of the kit',
      'wrong culprit',
      removed,
      `disappeared with a request of the kit: ${text(1)}`,
      5,
    ],
    [
      'the removal of another client as perhaps one of the kit',
      'cautious',
      removed,
      `may have been removed by a request of the kit: ${text(1)}`,
      5,
    ],
    [
      'the server as the cause',
      'wrong culprit',
      removed,
      'the server removed a rule other than the one at that index',
      5,
    ],
    ['an error of the kit', 'kit error', removed, '', 70],
  ])('%s is %s', (_, outcome, actual, output, code) => {
    expect(judgeRound({ ...common, actual, claims: at(output, code) })).toMatchObject({ outcome })
  })
})
