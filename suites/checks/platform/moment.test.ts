import { expect, test } from 'vitest'
import { momentOf } from './moment.ts'

test.for([
  ['2025-03-04T09:30:15Z', { exists: true, fraction: 0, zone: 'z' }],
  ['2025-03-04T09:30:15.250Z', { exists: true, fraction: 3, zone: 'z' }],
  ['2025-03-04T09:30:15,250000+00:00', { exists: true, fraction: 6, zone: 'offset' }],
  ['20250304T093015Z', { exists: true, fraction: 0, zone: 'z' }],
  ['2025-063T09:30:15Z', { exists: true, epochMs: Date.UTC(2025, 2, 4, 9, 30, 15) }],
  ['2025063T093015Z', { exists: true, epochMs: Date.UTC(2025, 2, 4, 9, 30, 15) }],
  ['2025-W10-2T09:30:15Z', { exists: true, epochMs: Date.UTC(2025, 2, 4, 9, 30, 15) }],
  ['2026W537T09Z', { exists: true, epochMs: Date.UTC(2027, 0, 3, 9) }],
  ['2025-03-04T09:30,5Z', { exists: true, epochMs: Date.UTC(2025, 2, 4, 9, 30), fraction: 0 }],
  ['2024-366T00:00Z', { exists: true }],
  ['2025-366T00:00Z', { exists: false }],
  ['2025-000T00:00Z', { exists: false }],
  ['2025-W53-1T00:00Z', { exists: false }],
  ['2025-W00-1T00:00Z', { exists: false }],
  ['2024-02-29T24:00:00Z', { exists: true }],
  ['2016-12-31T23:59:60Z', { exists: true }],
  ['2025-02-29T00:00:00Z', { exists: false }],
  ['2025-13-01T00:00:00Z', { exists: false }],
  ['2025-01-01T24:30:00Z', { exists: false }],
] as const)('%s is parsed', ([text, expected]) => {
  expect(momentOf(text)).toMatchObject(expected)
})

test.for(['2025-03-04', '2025-03-04 09:30:15Z', '2025-03-04T09:30:15', '2025-03-04T09:30:15+02:00', '', 1, null])(
  '%j is not a date and time in UTC',
  (text) => {
    expect(momentOf(text)).toBeNull()
  },
)
