import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from './command.ts'
import { root } from './documents/pages.ts'

test('api.md contains the declarations of the built package: `npm run api-report`', () => {
  const file = join(emptyFolder(), 'api.md')
  execFileSync(process.execPath, [join(root, 'scripts/api-report.js'), file])
  const now = readFileSync(file, 'utf8')
  expect(now).toContain('export declare function createSimulator(')
  expect(readFileSync(join(root, 'api.md'), 'utf8')).toBe(now)
})
