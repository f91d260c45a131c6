import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import knownFaults from '../../cli/run/known-faults.json' with { type: 'json' }
import { checkOf } from '../../cli/run/known-faults.ts'
import { apis } from '../../cli/selftest/apis.ts'
import type { ApiMatrix } from '../../cli/selftest/matrix.ts'
import type { Selftest } from '../../cli/selftest/selftest.ts'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { main } from '../command.ts'
import { changedDefects } from './changed-defects.ts'

const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-laws-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function selftest(name: string, flags: readonly string[]): Promise<Selftest> {
  const out = join(folder, name)
  const stderr = await new Promise((resolve) => {
    const args = [main, 'selftest', ...flags, '--seed', `${seed}`, '--out', out]
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_error, _stdout, text) => resolve(text))
  })
  expect(stderr).toBe('')
  return JSON.parse(readFileSync(join(out, 'selftest.json'), 'utf8')) as Selftest
}

/** For every change, each defect is tried by the requirements that it breaks; in the proof, by all. */
const flags = isProof ? ['--profiles', '40'] : ['--quick', '--profiles', '2']
const hours = 3_600_000

// Every self-test ends with checks that wait, so all of them run at the same time.
describe.concurrent(`the laws (TCK_SEED=${seed})`, () => {
  let document: Selftest
  beforeAll(async () => {
    document = await selftest('all', flags)
  }, hours)

  test.for([1, 2, 3, 4])('nothing is found against law %i', (law) => {
    expect(document.findings.filter((finding) => finding.law === law)).toEqual([])
  })

  test('every API is covered', () => {
    expect(document.apis.map(({ name }) => name)).toEqual(['plugin', 'platform'])
  })

  describe.for(apis)('of the $name', ({ name, requirements, defects }) => {
    const matrix = () => document.apis.find((api) => api.name === name) as ApiMatrix
    const known: Readonly<Record<string, readonly string[]>> = knownFaults[name as keyof typeof knownFaults]

    test('no false alarm: a simulator with any profile passes, and is observed to have that profile', () => {
      expect(matrix().requirements.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id))
      expect(matrix().requirements.filter(({ falseAlarms }) => falseAlarms > 0)).toEqual([])
      expect(matrix().profiles.length).toBe(Number(flags.at(-1)))
    })

    test('no blind spot: each defect is caught by each requirement that it breaks, also under random answers', () => {
      const tried = matrix().defects
      expect(tried.map(({ id }) => id)).toEqual(defects.map(({ id }) => id))
      for (const { id, verdict, killedBy, hiddenFrom, combined } of tried) {
        const breaks = defects.find((defect) => defect.id === id)?.breaks ?? []
        expect(verdict, id).toMatch(/^(killed-by-all|hidden)$/)
        expect(killedBy, id).toEqual(expect.arrayContaining(breaks.filter((one) => !hiddenFrom.includes(one))))
        expect(combined?.missedBy, id).toEqual([])
      }
    })

    // The seed can decide which of its expectations a check fails, so the codes are not compared.
    test('each defect fails a check that is recorded for it: `npm run known-faults`', () => {
      const caught = matrix().defects.filter(({ catchingChecks }) => catchingChecks.length > 0)
      const outdated = caught.filter(
        ({ id, catchingChecks }) => !known[id]?.some((failure) => catchingChecks.includes(checkOf(failure))),
      )
      expect(outdated.map(({ id }) => id)).toEqual([])
    })
  })
})

const changed = changedDefects()
const chosen = someOf(changed, 40)

describe.skipIf(isProof).concurrent(`the laws in the runs of users (TCK_SEED=${seed})`, () => {
  test('hold for a sample of all defects, each tried by every requirement', { timeout: hours }, async () => {
    const { findings } = await selftest('sample', ['--sample', '12', '--profiles', '1'])
    expect(findings).toEqual([])
  })

  test(`hold for the changes of the last day: ${chosen.length} of ${changed.length} defects`, {
    timeout: hours,
  }, async ({ skip }) => {
    skip(changed.length === 0, 'No file of defects or checks has changed in the last day.')
    const only = chosen.flatMap((id) => ['--only', id])
    const { findings } = await selftest('changed', [...only, '--profiles', '1'])
    expect(findings).toEqual([])
  })
})
