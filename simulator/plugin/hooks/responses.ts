import type { Json } from '../../server/response.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Wording } from '../profile/wording.ts'

export interface StatusFacts {
  readonly plugin: string
  readonly version: string
  readonly licenseActive: boolean
  readonly rules: RuleList
  readonly port: number
}

/** The content of the responses (clause 2.3, 2.4, 4.2, 7). */
export function responseHooks({ headers, reasonPhrases }: Wording) {
  return {
    statusBody: ({ plugin, version, licenseActive, rules, port }: StatusFacts): Json => ({
      plugin,
      version,
      license_active: licenseActive,
      rules_loaded: rules.length,
      api_port: port,
    }),
    /** One rule as the list shows it. */
    ruleBody: ({ master, follower, mode, value, direction }: Rule, index: number): Json => ({
      index,
      master,
      follower,
      mode,
      value,
      direction,
    }),
    /** The list, from the results of `ruleBody`. */
    listBody: (rules: readonly Json[]): Json => ({ rules, total: rules.length }),
    /** The encoded list, cached or new. */
    writtenList: (cached: Uint8Array | undefined, write: () => Uint8Array): Uint8Array => cached ?? write(),
    addedBody: ({ master, follower }: Rule, index: number): Json => ({ success: true, index, master, follower }),
    addedStatus: 201,
    removedBody: (): Json => ({ success: true }),
    errorBody: (message: string, _status: number): Json => ({ error: message }),
    /** The headers of every response with a body. */
    bodyHeaders: (): Readonly<Record<string, string>> => ({ 'Content-Type': headers['Content-Type'] }),
    /** The reason phrase of a status; undefined for the standard one. */
    reasonPhrase: (status: number): string | undefined => reasonPhrases[status],
  }
}
