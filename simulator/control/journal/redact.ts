/** Removes the key of the plugin, plain or encoded, from recorded strings. */
export interface Redactor {
  readonly text: (text: string) => string
  /** A request target, even if single characters of the key are encoded. */
  readonly target: (target: string) => string
  /** The part of a body that is stored, to limit the memory. */
  readonly prefix: (body: Uint8Array) => BodyPrefix
  readonly body: (prefix: BodyPrefix) => string
  /** Name and value of each header. Credentials are masked, except whether they are a bearer token. */
  readonly headers: (raw: readonly string[]) => readonly (readonly [string, string])[]
}

export interface BodyPrefix {
  readonly bytes: Uint8Array
  /** Of the whole body. */
  readonly lengthBytes: number
}

export const mask = '[redacted]'
const secretHeaders = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie']
const textLimit = 4_096

export function redactor(key: string): Redactor {
  const forms = formsOf(key)
  const longestForm = Math.max(0, ...forms.map((form) => form.length))
  // The same list is sent many times with the same bytes.
  const prefixes = new WeakMap<Uint8Array, BodyPrefix>()
  const whole = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, mask), text)
  const text = (some: string) => {
    if (some.length <= textLimit) return whole(some)
    return `${whole(some.slice(0, beforeKey(some, forms)))}… (${some.length - textLimit} more characters)`
  }
  return {
    text,
    target: (target) => {
      const safe = text(target)
      if (safe !== target || key === '' || !decoded(target).includes(key)) return safe
      return `${target.slice(0, target.indexOf('%'))}${mask}`
    },
    prefix: (body) => {
      const stored = prefixes.get(body) ?? prefixOf(body, textLimit + longestForm)
      prefixes.set(body, stored)
      return stored
    },
    body: ({ bytes, lengthBytes }) => {
      const start = Buffer.from(bytes).toString()
      if (lengthBytes <= textLimit) return whole(start)
      return `${whole(start.slice(0, beforeKey(start, forms)))}… (${lengthBytes} bytes in all)`
    },
    headers: (raw) => {
      const pairs: [string, string][] = []
      for (let at = 0; at + 1 < raw.length; at += 2) {
        const [name = '', value = ''] = raw.slice(at, at + 2)
        pairs.push([text(name), secretHeaders.includes(name.toLowerCase()) ? masked(value) : text(value)])
      }
      return pairs
    },
  }
}

function masked(value: string): string {
  return isBearer(value) ? `Bearer ${mask}` : mask
}

/** Whether this is the value of a header Authorization with a token, redacted or not. */
export function isBearer(value: string): boolean {
  return /^Bearer /i.test(value)
}

function prefixOf(body: Uint8Array, mostBytes: number): BodyPrefix {
  return { bytes: Buffer.from(body.subarray(0, mostBytes)), lengthBytes: body.length }
}

function formsOf(key: string): readonly string[] {
  if (key === '') return []
  const base64 = Buffer.from(key).toString('base64')
  return [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), base64])]
}

/** Where a string is truncated: at the limit, or before a key that the limit would split. */
function beforeKey(text: string, forms: readonly string[]): number {
  const places = forms.map((form) => text.indexOf(form, Math.max(0, textLimit - form.length + 1)))
  return Math.min(textLimit, ...places.filter((place) => place !== -1))
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
