import type { Outcome } from './outcome.ts'

/** What a check found, without the record of how. */
export type Finding = Pick<
  Outcome,
  'status' | 'code' | 'data' | 'message' | 'expected' | 'actual' | 'curl' | 'answer' | 'stop'
>

/** What the findings are made from. */
export const passed: Finding = {
  status: 'passed',
  code: null,
  data: null,
  message: null,
  expected: null,
  actual: null,
  curl: null,
  answer: null,
  stop: null,
}
