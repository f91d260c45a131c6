import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import knownFaults from '../cli/run/known-faults.json' with { type: 'json' }
import { checkOf } from '../cli/run/known-faults.ts'
import { expectedKills } from '../cli/selftest/api.ts'
import { apis } from '../cli/selftest/apis.ts'
import type { ApiMatrix, Selftest } from '../cli/selftest/document.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Names what chance chose in this run; another run with it chooses the same. */
const seed = process.env.TCK_SEED ?? String(Date.now() % 2 ** 31)
const profiles = process.env.TCK_PROFILES ?? '1'
/** Of each API, so many defects are tried. */
const sample = 4

/** The short form; the long one is `copytrade-tck selftest` itself. */
const flags = ['--quick', '--sample', String(sample), '--profiles', profiles, '--seed', seed]

describe(`the laws (TCK_SEED=${seed})`, () => {
  let selftest: Selftest

  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-laws-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  beforeAll(async () => {
    const stderr = await new Promise((resolve) => {
      execFile(process.execPath, [main, 'selftest', ...flags, '--out', folder], (_error, _stdout, text) =>
        resolve(text),
      )
    })
    expect(stderr).toBe('')
    selftest = JSON.parse(readFileSync(join(folder, 'selftest.json'), 'utf8')) as Selftest
  }, 300_000)

  test.for([1, 2, 3, 4])('nothing is found against law %i', (law) => {
    expect(selftest.findings.filter((finding) => finding.law === law)).toEqual([])
  })

  test('no API is left out', () => {
    expect(selftest.apis.map(({ name }) => name)).toEqual(['plugin', 'platform'])
    const page = readFileSync(join(folder, 'selftest.html'), 'utf8')
    for (const { requirements } of apis) expect(page).toContain(`id="${requirements[0]?.id}"`)
  })

  describe.for(apis)('of the $name', (api) => {
    const { name, requirements, defects, checks } = api
    const matrix = () => selftest.apis.find((api) => api.name === name) as ApiMatrix
    const known: Readonly<Record<string, readonly string[]>> = knownFaults[name as keyof typeof knownFaults]
    const requirementsOf = (ids: readonly string[]) =>
      [...new Set(checks.filter(({ id }) => ids.includes(id)).map(({ requirement }) => requirement))].toSorted()

    test('no false alarm: a simulator with any profile passes, and is observed to have it', () => {
      expect(matrix().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id))
      expect(matrix().requirements.filter(({ falseAlarms }) => falseAlarms > 0)).toEqual([])
      expect(matrix().profiles.length).toBe(Number(profiles))
    })

    test('no blind spot: each defect of the sample is caught by each requirement that it breaks, also under random answers', () => {
      const tried = matrix().defects
      expect(tried.length).toBe(Math.min(sample, defects.length))
      for (const { id, verdict, killedBy, hiddenFrom, combined } of tried) {
        const breaks = defects.find((defect) => defect.id === id)?.breaks ?? []
        expect(verdict, id).toMatch(/^(killed-by-all|hidden)$/)
        expect([...killedBy, ...hiddenFrom].toSorted(), id).toEqual([...breaks].toSorted())
        expect(combined?.missedBy, id).toEqual([])
      }
    })

    test('the known faults are the defects, each with checks of all requirements that catch it: `npm run known-faults`', () => {
      expect(Object.keys(known)).toEqual(defects.map(({ id }) => id))
      const missing = defects.filter((defect) => {
        const listed = requirementsOf((known[defect.id] ?? []).map(checkOf))
        return !expectedKills(api, defect, {}).due.every((requirement) => listed.includes(requirement))
      })
      expect(missing.map(({ id }) => id)).toEqual([])
    })

    test('no unproven check: a known fault makes every requirement fail', () => {
      const proven = defects.flatMap(({ id, breaks }) => {
        const failing = requirementsOf((known[id] ?? []).map(checkOf))
        return breaks.filter((requirement) => failing.includes(requirement))
      })
      expect(requirements.map(({ id }) => id).filter((id) => !proven.includes(id))).toEqual([])
    })

    // Which of its expectations a check ends with can follow from the seed, so the codes are not compared.
    test('each defect of the sample fails a check that is listed for it: `npm run known-faults`', () => {
      const caught = matrix().defects.filter(({ catchingChecks }) => catchingChecks.length > 0)
      const outdated = caught.filter(
        ({ id, catchingChecks }) => !known[id]?.some((failure) => catchingChecks.includes(checkOf(failure))),
      )
      expect(outdated.map(({ id }) => id)).toEqual([])
    })

    test('the ids of the defects are unique', () => {
      const ids = defects.map((defect) => defect.id)
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    })
  })
})
