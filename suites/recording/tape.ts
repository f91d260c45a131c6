import type { Client } from '../http/client.ts'
import type { RawClient } from '../http/raw.ts'

/** Stands between the checks and their clients: writes down what goes by, or plays it. */
export interface Tape {
  /**
   * A check begins, `drafts` rules having been drafted before it. Returns how many must have been:
   * a draft follows from its number, and a recorded check must draft the same rules again.
   */
  begin(check: string, drafts: number): number
  client(client: Client): Client
  raw(raw: RawClient): RawClient
}
