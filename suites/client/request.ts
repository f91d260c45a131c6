export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface Request {
  readonly method: Method
  /** Path and query as sent, e.g. `/api/rules/3`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /**
   * Sends immediately, to leave other clients less time for changes: on the connection of the previous read, or on its
   * own. The server may close a shared one at any time, before or after it carries out the request.
   */
  readonly followsRead?: 'shared' | 'own'
}
