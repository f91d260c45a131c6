import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import knownFaults from '../cli/run/known-faults.json' with { type: 'json' }
import { apis } from '../cli/selftest/apis.ts'
import type { ApiMatrix, Selftest } from '../cli/selftest/document.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Names what chance chose in this run; another run with it chooses the same. */
const seed = process.env.TCK_SEED ?? String(Date.now() % 2 ** 31)
const profiles = process.env.TCK_PROFILES ?? '4'
/** Of each API, so many defects are tried under random answers too. */
const combined = 40

/** The short form; the long one is `copytrade-tck selftest` itself. */
const flags = ['--quick', '--combined', String(combined), '--profiles', profiles, '--seed', seed]

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

  describe.for(apis)('of the $name', ({ name, requirements, defects }) => {
    const matrix = () => selftest.apis.find((api) => api.name === name) as ApiMatrix

    test('no false alarm: a simulator with any profile passes, and is observed to have it', () => {
      expect(matrix().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id))
      expect(matrix().requirements.filter(({ falseAlarms }) => falseAlarms > 0)).toEqual([])
      expect(matrix().profiles.length).toBe(Number(profiles))
    })

    test('no blind spot: defects are tried under random answers too, as many as asked for', () => {
      const tried = matrix().defects.filter((defect) => defect.combined !== null)
      expect(tried.length).toBe(Math.min(combined, defects.length))
    })

    test.for(defects)('no blind spot: $id is caught by each requirement that it breaks', ({ id, breaks }) => {
      const row = matrix().defects.find((defect) => defect.id === id)
      expect(row?.verdict).toMatch(/^(killed-by-all|hidden)$/)
      expect([...(row?.killedBy ?? []), ...(row?.hiddenFrom ?? [])].toSorted()).toEqual([...breaks].toSorted())
    })

    test('no unproven check: a defect makes every requirement fail', () => {
      expect(matrix().requirements.filter(({ caught }) => caught.length === 0)).toEqual([])
    })

    test('a run counts the known faults by the checks that catch them: `npm run known-faults`', () => {
      const known: Readonly<Record<string, readonly string[]>> = knownFaults[name as keyof typeof knownFaults]
      const caught = matrix().defects.filter(({ catchingChecks }) => catchingChecks.length > 0)
      expect(Object.keys(known).toSorted()).toEqual(
        matrix()
          .defects.map(({ id }) => id)
          .toSorted(),
      )
      const outdated = caught.filter(
        ({ id, catchingChecks }) => !known[id]?.some((check) => catchingChecks.includes(check)),
      )
      expect(outdated.map(({ id }) => id)).toEqual([])
    })

    test('the ids of the defects are unique', () => {
      const ids = defects.map((defect) => defect.id)
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    })
  })
})
