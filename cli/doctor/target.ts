import type { ApiSettings } from '../../suites/runner/shared.ts'
import type { ApiName } from '../../suites/session/check.ts'
import type { Diagnosis } from './examine.ts'

/** A server that `doctor` examines. */
export interface DoctorTarget extends Pick<ApiSettings, 'target' | 'secrets'> {
  readonly api: ApiName
  readonly url: string
  /** Sends only reads; `redact` removes the secrets from what is kept of them. */
  examine(redact: (text: string) => string): Promise<Diagnosis>
  /** The last line, by what a run may do to the server: nothing, only read, or anything. */
  readonly conclusions: Readonly<Record<'none' | 'read' | 'any', string>>
}
