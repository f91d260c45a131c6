import { expect, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import { type ComparedResponse, compare } from '../../suites/twin/compare.ts'
import { allSteps } from '../../suites/twin/steps.ts'
import { renderParity } from './render.ts'

/** The text for a server and its twin that respond differently. */
function rendered(target: ComparedResponse, twin: ComparedResponse, redact = (text: string) => text): string {
  const [step] = allSteps
  if (step === undefined) throw new Error('there are no steps')
  const differences = compare(target, twin, { isRecorded: () => true, isIgnored: () => false })
  return renderParity({
    compared: {
      divergence: { sent: [], step, target, twin, differences },
      ...{ name: { kind: 'unlisted' }, sequences: 1, requests: 1, cutShort: false, wording: [] },
    },
    ...{ seed: 1, twin: 'the simulator', further: false, redact },
  })
}

const twin = { status: 200, headers: {}, text: '{}', json: {} }

test.for([
  [200, true],
  [403, false],
] as const)('a member that only the target sends with status %s may be ignored: %s', ([status, isOffered]) => {
  const shown = rendered({ status, headers: {}, text: '{"note":1}', json: { note: 1 } }, twin)
  expect(shown.includes("--ignore '/note'")).toBe(isOffered)
})

test('no part of a response shows the key: neither a header, nor the name of a member, nor its value', () => {
  const key = 'a-key-for-tests'
  const target = { headers: { location: `/?${key}` }, text: `{"${key}":"${key}"}`, json: { [key]: key } }
  const shown = rendered({ ...target, status: 200 }, twin, createRedactor([key]))
  expect(shown).toMatch(/location +\/\?\[redacted\] .*"\[redacted\]".*--ignore '\/\[redacted\]'/s)
  expect(shown).not.toContain(key)
})
