import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiMatrix, Selftest } from '../cli/selftest/document.ts'
import { pluginDefects } from '../simulator/defects/index.ts'
import { pluginRequirements } from '../spec/requirements/plugin.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Names what chance chose in this run; another run with it chooses the same. */
const seed = process.env.TCK_SEED ?? String(Date.now() % 2 ** 31)
const profiles = process.env.TCK_PROFILES ?? '4'

/** The short form; the long one is `copytrade-tck selftest` itself. */
const flags = ['--quick', '--combined', '60', '--profiles', profiles, '--seed', seed]

describe(`the laws (TCK_SEED=${seed})`, () => {
  let selftest: Selftest
  let plugin: ApiMatrix

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
    plugin = selftest.apis.find(({ name }) => name === 'plugin') as ApiMatrix
  }, 300_000)

  const against = (law: number) => selftest.findings.filter((finding) => finding.law === law)

  test('no false alarm: a simulator with any profile passes', () => {
    expect(plugin.requirements.map(({ id }) => id)).toEqual(pluginRequirements.map(({ id }) => id))
    expect(plugin.profiles.length).toBe(Number(profiles))
    expect(against(1)).toEqual([])
  })

  test('no blind spot: whatever is said to hide a defect hides it, and nothing else does', () => {
    expect(plugin.defects.filter(({ combined }) => combined !== null).length).toBe(60)
    expect(against(2)).toEqual([])
  })

  test.for(pluginDefects)('no blind spot: $id is caught by each requirement that it breaks', ({ id, breaks }) => {
    const row = plugin.defects.find((defect) => defect.id === id)
    expect(row?.verdict).toMatch(/^(killed-by-all|hidden)$/)
    expect([...(row?.killedBy ?? []), ...(row?.hiddenFrom ?? [])].toSorted()).toEqual([...breaks].toSorted())
  })

  test('no toothless check: every requirement is made red by a defect', () => {
    expect(plugin.requirements.filter(({ caught }) => caught.length === 0)).toEqual([])
    expect(against(3)).toEqual([])
  })

  test('a twin is exact: a simulator with any profile is observed to have it', () => {
    expect(against(4)).toEqual([])
  })
})

test('the ids of the defects are unique', () => {
  const ids = pluginDefects.map(({ id }) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})
