import type { HttpResponse } from '../../suites/client/response.ts'
import type { Transport } from '../../suites/client/transport.ts'
import type { LoginRange } from '../../suites/session/logins.ts'
import type { Variation } from '../../suites/session/plugin.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'

/** What an examination may look at. Nothing here can change the target. */
export interface DoctorContext {
  readonly url: string
  /** Name or address of the target, an IPv6 address without its brackets. */
  readonly host: string
  readonly port: number
  readonly transport: Transport
  readonly timeoutMs: number
  readonly logins: LoginRange
  /** The stated capacity, null where it is not known. */
  readonly capacity: number | null
  /** Who would drive the life cycle; null for nobody. */
  readonly lifeCycle: LifeCycle | null
  /** GET /api/status with the key, sent once however often it is asked for. */
  readonly status: () => Promise<HttpResponse>
  /** GET /api/rules with the key, sent once however often it is asked for. */
  readonly list: () => Promise<HttpResponse>
  /** GET /api/status with another key or none. */
  readonly statusWith: (variation: Variation) => Promise<HttpResponse>
}

/** What came out of one examination; each text fits a line. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem' | 'skipped'
  readonly finding: string
  /** What a person can do about it, or with it. */
  readonly remedy?: string
}

export type ExaminationName =
  | 'name'
  | 'port'
  | 'certificate'
  | 'http'
  | 'plugin'
  | 'key'
  | 'wrong key'
  | 'list'
  | 'capacity'
  | 'clock'
  | 'logins'
  | 'checks'
  | 'platform'
  | 'platform key'
  | 'platform wrong key'
  | 'platform signature'
  | 'platform list'
  | 'platform clock'

/** One thing that is looked at before a run. */
export interface Examination<Context = DoctorContext> {
  readonly name: ExaminationName
  /** Examinations without which this one would be pointless. */
  readonly needs: readonly ExaminationName[]
  /** What a run may not do while there is a problem here. */
  readonly forbids: 'everything' | 'writing' | 'nothing'
  examine(context: Context): Promise<Finding> | Finding
}
