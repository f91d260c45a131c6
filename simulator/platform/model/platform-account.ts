/** The account of a brokerage with the platform (clause 2.1). */
export interface PlatformAccount {
  /** `acct_` and digits. */
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}
