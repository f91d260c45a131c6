import { expect, test } from 'vitest'
import { compare } from '../../suites/twin/compare.ts'
import { allSteps } from '../../suites/twin/steps.ts'
import { renderParity } from './render.ts'

test.for([
  [200, true],
  [403, false],
] as const)('a member that only the target sends with status %s may be ignored: %s', ([status, isOffered]) => {
  const [step] = allSteps
  if (step === undefined) throw new Error('there are no steps')
  const target = { status, headers: {}, text: '{"note":1}', json: { note: 1 } }
  const twin = { status: 200, headers: {}, text: '{}', json: {} }
  const differences = compare(target, twin, { isRecorded: () => true, isIgnored: () => false })
  const shown = renderParity({
    compared: {
      divergence: { sent: [], step, target, twin, differences },
      ...{ name: { kind: 'unlisted' }, sequences: 1, requests: 1, cutShort: false, wording: [] },
    },
    ...{ seed: 1, twin: 'the simulator', further: false, redact: (text: string) => text },
  })
  expect(shown.includes("--ignore '/note'")).toBe(isOffered)
})
