/** What came out of one examination; each text fits a line. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped'
  readonly finding: string
  /** What a person can do about it, or with it. */
  readonly remedy?: string
}

/** One thing that is looked at before a run. */
export interface Examination<Context> {
  readonly name: string
  /** Examinations without which this one would be pointless. */
  readonly needs: readonly string[]
  /** What a run may not do while there is a problem here. */
  readonly forbids: 'everything' | 'writing' | 'nothing'
  examine(context: Context): Promise<Finding> | Finding
}
