/** An answer before it goes on the wire. */
export interface HttpResponse {
  readonly status: number
  /** The JSON text; undefined where the answer has no body. */
  readonly body: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** What can be written as JSON; bigint as a numeral with all its digits. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [member: string]: Json }
