import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url))

/** What the linter says about a file with this import in this folder of the house. */
async function lintPlanted(folder: string, specifier: string): Promise<{ code: number | null; output: string }> {
  const file = `${folder}/planted-${process.pid}.ts`
  writeFileSync(
    `${root}${file}`,
    `import type * as planted from '${specifier}'\n\nexport type Planted = typeof planted\n`,
  )
  onTestFinished(() => rmSync(`${root}${file}`, { force: true }))
  return new Promise((resolve) => {
    execFile(process.execPath, [biome, 'lint', file], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

test.for([
  { folder: 'spec', specifier: '../simulator/index.ts' },
  { folder: 'simulator/model', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/store', specifier: '../http/answer.ts' },
  { folder: 'simulator/http', specifier: '../../suites/engine/outcome.ts' },
  { folder: 'simulator/http', specifier: '../control/control.ts' },
  { folder: 'simulator/control', specifier: '../http/service.ts' },
  { folder: 'suites/cases', specifier: '../../simulator/index.ts' },
  { folder: 'suites/cases', specifier: '../targets/driver.ts' },
  { folder: 'suites/targets', specifier: '../../simulator/index.ts' },
  { folder: 'suites/engine', specifier: '../../reports/report.ts' },
  { folder: 'simulator/defects', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/server', specifier: '../http/service.ts' },
  { folder: 'simulator/storage', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/http', specifier: '../platform/index.ts' },
  { folder: 'simulator/platform', specifier: '../http/service.ts' },
  { folder: 'simulator/platform/http', specifier: '../../store/rules-file.ts' },
  { folder: 'simulator/embed', specifier: '../control/control.ts' },
  { folder: 'simulator/embed', specifier: '../../suites/engine/check.ts' },
  { folder: 'reports', specifier: '../suites/engine/check.ts' },
  { folder: 'fixtures', specifier: '../simulator/index.ts' },
])('the linter refuses an import of $specifier in $folder', async ({ folder, specifier }) => {
  const { code, output } = await lintPlanted(folder, specifier)
  expect(output).toContain('noRestrictedImports')
  expect(code).not.toBe(0)
})

test.for([
  { folder: 'simulator/http', specifier: '../model/rule.ts' },
  { folder: 'simulator/http', specifier: '../server/answer.ts' },
  { folder: 'simulator/control', specifier: '../store/rules-file.ts' },
  { folder: 'simulator/platform/http', specifier: '../../server/answer.ts' },
  { folder: 'simulator/embed', specifier: '../index.ts' },
  { folder: 'suites/cases', specifier: '../vocabulary/rule.ts' },
  { folder: 'reports', specifier: '../suites/engine/outcome.ts' },
  { folder: 'cli', specifier: '../simulator/index.ts' },
])('it allows $specifier in $folder', async ({ folder, specifier }) => {
  const { code, output } = await lintPlanted(folder, specifier)
  expect(output).not.toContain('noRestrictedImports')
  expect(code).toBe(0)
})
