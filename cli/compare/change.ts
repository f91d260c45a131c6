/** What can differ between two reports, and how it is called, what matters most first. */
export const changeKinds = {
  regression: { heading: 'Regressions', one: 'regression', several: 'regressions' },
  'new-failure': {
    heading: 'Failures of checks that were not judged before',
    one: 'failure not judged before',
    several: 'failures not judged before',
  },
  'changed-failure': { heading: 'Failures that changed', one: 'changed failure', several: 'changed failures' },
  unjudged: {
    heading: 'Checks that can no longer be judged',
    one: 'check can no longer be judged',
    several: 'checks can no longer be judged',
  },
  'not-run': { heading: 'Checks that no longer ran', one: 'check no longer ran', several: 'checks no longer ran' },
  drift: { heading: 'Changed answers', one: 'changed answer', several: 'changed answers' },
  slower: { heading: 'Slower operations', one: 'slower operation', several: 'slower operations' },
  fix: { heading: 'Fixes', one: 'fix', several: 'fixes' },
} as const

export type ChangeKind = keyof typeof changeKinds

/** One difference between an old report and a new one. All texts are those of the reports, not yet escaped. */
export interface Change {
  readonly kind: ChangeKind
  /** Id of a check or a question, or an operation like `GET /api/rules`. */
  readonly subject: string
  /** What the subject is about. */
  readonly about: string
  readonly before: string
  readonly after: string
}
