import { expect, test } from 'vitest'
import { buildReport } from '../document.ts'
import type { ReportedRequirement } from '../report.ts'
import { sampleRun } from '../sample-run.test-data.ts'
import { exampleOf } from './failures.tsx'

test('a fault is shown by a failure that it explains, even if another failure of the requirement is simpler', () => {
  const checks = buildReport(sampleRun()).requirements.flatMap((one) => one.checks)
  const check = checks.find(({ status }) => status === 'failed')
  const long = { ...check, id: 'CT-2', script: `${check?.script} and more` }
  const requirement = { checks: [{ ...check, id: 'CT-1' }, long] } as unknown as ReportedRequirement
  expect(exampleOf([requirement], { explains: ['CT-1', 'CT-2'] })?.id).toBe('CT-1')
  expect(exampleOf([requirement], { explains: ['CT-2'] })?.id).toBe('CT-2')
})
