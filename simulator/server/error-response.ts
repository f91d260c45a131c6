/** What a problem with a request is about; strangers are told about some of these, as the profile says. */
export type Concern = 'path' | 'method' | 'body'

/** A request that is answered with an error status. The message goes to the client. */
export class ErrorResponse extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** A request that gets no answer: the connection is closed. */
export class Dropped extends Error {
  override readonly name = 'Dropped'
}

/** What a request that is not served gets instead. */
export type Rejection = ErrorResponse | Dropped
