/** A response before it is sent. */
export interface HttpResponse {
  readonly status: number
  /** The encoded body; undefined if the response has none. */
  readonly body: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** A value that can be written as JSON. A bigint is written with all its digits. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [member: string]: Json }
