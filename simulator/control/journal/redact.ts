import { createRedactor, longestSecret, redactedExcerpt, redactedStart } from '../../../http/redact.ts'

export interface BodyPrefix {
  readonly bytes: Uint8Array
  readonly lengthBytes: number
}

export const mask = '[redacted]'
const secretHeaders = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie']
const textLimit = 4_096

/** Removes the key of the plugin, plain or encoded, from recorded strings, and limits their length. */
export function redactor(key: string) {
  const redact = createRedactor([key])
  // The same bytes are sent many times for one list.
  let last: { readonly body: Uint8Array; readonly prefix: BodyPrefix } | undefined
  const text = (some: string) => redactedExcerpt(some, textLimit, redact)
  return {
    text,
    /** The stored prefix of a body, to limit the memory. */
    prefix: (body: Uint8Array): BodyPrefix => {
      if (last?.body === body) return last.prefix
      const mostBytes = textLimit + longestSecret
      // A part would keep the whole body in memory.
      const bytes = body.length <= mostBytes ? body : Buffer.from(body.subarray(0, mostBytes))
      last = { body, prefix: { bytes, lengthBytes: body.length } }
      return last.prefix
    },
    body: ({ bytes, lengthBytes }: BodyPrefix) => {
      const { start, more } = redactedStart(Buffer.from(bytes).toString(), textLimit, redact)
      return more === 0 && bytes.length === lengthBytes ? start : `${start}… (${lengthBytes} bytes in all)`
    },
    /** Name and value of each header. Credentials are masked, except whether they are a bearer token. */
    headers: (raw: readonly string[]) =>
      Array.from({ length: raw.length / 2 }, (_, at) => {
        const [name = '', value = ''] = raw.slice(2 * at, 2 * at + 2)
        return [text(name), secretHeaders.includes(name.toLowerCase()) ? masked(value) : text(value)] as const
      }),
  }
}

function masked(value: string): string {
  return isBearer(value) ? `Bearer ${mask}` : mask
}

export function isBearer(value: string): boolean {
  return /^Bearer /i.test(value)
}
