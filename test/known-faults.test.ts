import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import knownFaults from '../cli/run/known-faults.json' with { type: 'json' }
import { checkOf, countKnownFaults } from '../cli/run/known-faults.ts'
import { apis } from '../cli/selftest/apis.ts'
import { expectedKills } from '../cli/target/self-test.ts'
import { plan } from '../suites/runner/plan.ts'

// `test/laws` judges the defects themselves.

describe.for(apis)('of the $name', (api) => {
  const { name, requirements, defects, checks } = api
  const known: Readonly<Record<string, readonly string[]>> = knownFaults[name as keyof typeof knownFaults]
  const requirementsOf = (defect: string) => {
    const failing = (known[defect] ?? []).map(checkOf)
    return checks.filter(({ id }) => failing.includes(id)).map(({ requirement }) => requirement)
  }

  test('the recorded defects are all defects, each with checks of all requirements that catch it: `npm run known-faults`', () => {
    expect(Object.keys(known)).toEqual(defects.map(({ id }) => id))
    const missing = defects.filter((defect) => {
      const listed = requirementsOf(defect.id)
      return !expectedKills(api, defect, {}).due.every((requirement) => listed.includes(requirement))
    })
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  test('no unproven check: a recorded defect makes every requirement fail', () => {
    const proven = defects.flatMap(({ id, breaks }) => {
      const failing = requirementsOf(id)
      return breaks.filter((requirement) => failing.includes(requirement))
    })
    expect(requirements.map(({ id }) => id).filter((id) => !proven.includes(id))).toEqual([])
  })

  test('no recorded failure has a time, which would differ in every run', () => {
    const time = /[1-9]\d{3}-\d\d-\d\dT|\b1\d{12}\b/
    expect(Object.values(known).flatMap((failures) => failures.filter((failure) => time.test(failure)))).toEqual([])
  })

  test('the ids of the defects are unique', () => {
    const ids = defects.map((defect) => defect.id)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
  })
})

test('docs/verdicts.md has the same numbers for the usual runs as the end of such a run', () => {
  const document = readFileSync(new URL('../docs/verdicts.md', import.meta.url), 'utf8')
  const counted = apis.flatMap((api) =>
    api.runScopes.map(({ summary, ...scope }) => {
      const planned = plan({ checks: api.checks, only: [], skip: [], ...scope })
      const judged = new Set(planned.flatMap(({ id, outOfScope }) => (outOfScope === null ? id : [])))
      const { noticeable, total } = countKnownFaults([{ ...api, risk: scope.risk }], judged)
      return `| ${summary} | ${noticeable} of ${total} |`
    }),
  )
  expect(document.match(/^\| `-.*` \| \d+ of \d+ \|/gm)).toEqual(counted)
})
