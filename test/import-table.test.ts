import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url))

interface Planted {
  readonly folder: string
  readonly specifier: string
}

const refused: readonly Planted[] = [
  { folder: 'spec', specifier: '../simulator/index.ts' },
  { folder: 'simulator/model', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/store', specifier: '../http/answer.ts' },
  { folder: 'simulator/http', specifier: '../../suites/runner/outcome.ts' },
  { folder: 'simulator/http', specifier: '../control/control.ts' },
  { folder: 'simulator/control', specifier: '../http/service.ts' },
  { folder: 'simulator/control', specifier: '../platform/index.ts' },
  { folder: 'simulator/control/server', specifier: '../../platform/index.ts' },
  { folder: 'suites/cases', specifier: '../../simulator/index.ts' },
  { folder: 'suites/cases', specifier: '../targets/driver.ts' },
  { folder: 'suites/targets', specifier: '../../simulator/index.ts' },
  { folder: 'suites/cases/platform', specifier: '../../../simulator/platform/index.ts' },
  { folder: 'suites/engine', specifier: '../../simulator/platform/index.ts' },
  { folder: 'suites/engine', specifier: '../../reports/report.ts' },
  { folder: 'simulator/defects', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/server', specifier: '../http/service.ts' },
  { folder: 'simulator/storage', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/http', specifier: '../platform/index.ts' },
  { folder: 'simulator/platform', specifier: '../http/service.ts' },
  { folder: 'simulator/platform', specifier: '../control/control.ts' },
  { folder: 'simulator/platform/http', specifier: '../../store/rules-file.ts' },
  { folder: 'simulator/embed', specifier: '../control/control.ts' },
  { folder: 'simulator/embed', specifier: '../../suites/session/check.ts' },
  { folder: 'reports', specifier: '../suites/session/check.ts' },
  { folder: 'fixtures', specifier: '../simulator/index.ts' },
]

const allowed: readonly Planted[] = [
  { folder: 'simulator/http', specifier: '../model/rule.ts' },
  { folder: 'simulator/http', specifier: '../server/answer.ts' },
  { folder: 'simulator/control', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/control/server', specifier: '../../server/clock.ts' },
  { folder: 'simulator/platform/http', specifier: '../../server/answer.ts' },
  { folder: 'simulator/embed', specifier: '../index.ts' },
  { folder: 'suites/cases', specifier: '../vocabulary/rule.ts' },
  { folder: 'reports', specifier: '../suites/runner/outcome.ts' },
  { folder: 'cli', specifier: '../simulator/index.ts' },
]

describe('the linter', () => {
  /** One run of the linter for all of them: it reads the whole project first, each time. */
  const planted = [...refused, ...allowed].map((one, place) => ({
    ...one,
    file: `${one.folder}/planted-${process.pid}-${place}.ts`,
  }))
  let complaints: readonly Complaint[] = []

  beforeAll(async () => {
    for (const { file, specifier } of planted) {
      writeFileSync(
        `${root}${file}`,
        `import type * as planted from '${specifier}'\n\nexport type Planted = typeof planted\n`,
      )
    }
    complaints = await lint(planted.map(({ file }) => file))
  })
  afterAll(() => {
    for (const { file } of planted) rmSync(`${root}${file}`, { force: true })
  })

  const rulesAgainst = (wanted: Planted) => {
    const file = planted.find(
      ({ folder, specifier }) => folder === wanted.folder && specifier === wanted.specifier,
    )?.file
    return complaints.filter((complaint) => complaint.file === file).map(({ severity, rule }) => `${severity} ${rule}`)
  }

  test.for(refused)('refuses an import of $specifier in $folder', (one) => {
    expect(rulesAgainst(one)).toContain('error lint/style/noRestrictedImports')
  })

  test.for(allowed)('allows $specifier in $folder', (one) => {
    expect(rulesAgainst(one)).not.toContain('error lint/style/noRestrictedImports')
  })
})

interface Complaint {
  readonly file: string
  readonly severity: string
  readonly rule: string
}

/** What the linter says about these files; it must have read each of them. */
async function lint(files: readonly string[]): Promise<readonly Complaint[]> {
  const output = await new Promise<string>((resolve) => {
    const flags = ['--reporter=json', '--max-diagnostics=none']
    execFile(process.execPath, [biome, 'lint', ...flags, ...files], { cwd: root }, (_error, stdout) => resolve(stdout))
  })
  const { summary, diagnostics } = JSON.parse(output) as {
    readonly summary: { readonly unchanged: number }
    readonly diagnostics: readonly { severity: string; category: string; location: { path: string } }[]
  }
  expect(summary.unchanged).toBe(files.length)
  return diagnostics.map(({ severity, category, location }) => ({ file: location.path, severity, rule: category }))
}
