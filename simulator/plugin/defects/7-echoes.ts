import type { IncomingMessage } from 'node:http'
import { asks } from '../../defect-parts/wire.ts'
import type { Defect } from './defect.ts'

type Encode = (text: string) => string

const quoted: Encode = (text) => JSON.stringify(text).slice(1, -1)

/** A server whose errors repeat a text of the request, written into the JSON by hand. */
function repeats(
  meant: (status: number, request: IncomingMessage) => string | undefined,
  encode: Encode,
): Defect['override'] {
  return () => ({
    finish: (response, request) => {
      const text = response.status < 400 ? undefined : meant(response.status, request)
      return text === undefined ? response : { ...response, body: Buffer.from(`{"error":"Rejected: ${encode(text)}"}`) }
    },
  })
}

/** The same for a field of the body. */
function repeatsField(field: 'readMode' | 'readDirection' | 'readValue', encode: Encode): Defect['override'] {
  return (hooks) => {
    let seen: unknown
    return {
      [field]: (value: unknown) => {
        seen = value
        return hooks[field](value)
      },
      ...repeats((status, request) => {
        const text = status === 400 && asks(request, 'POST') && typeof seen === 'string' ? seen : undefined
        seen = undefined
        return text
      }, encode)(hooks),
    }
  }
}

const decodedPath = ({ url = '' }: IncomingMessage): string => {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Clause 7: errors that repeat what was sent and are valid JSON only for ordinary texts. */
export const echoDefects: readonly Defect[] = [
  {
    id: 'error.direction-repeated-with-quotes-escaped-only',
    breaks: ['plugin.errors.every'],
    summary: 'An error repeats the direction and escapes only quotation marks.',
    override: repeatsField('readDirection', (text) => text.replaceAll('"', '\\"')),
  },
  {
    id: 'error.value-repeated-with-raw-control-characters',
    breaks: ['plugin.errors.every'],
    summary: 'An error repeats the value and escapes only quotation marks, backslashes and line breaks.',
    override: repeatsField('readValue', (text) =>
      quoted(text).replace(/\\u00([01][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  },
  {
    id: 'error.direction-with-nul-returns-200',
    breaks: ['plugin.errors.every'],
    summary: 'A direction with a NUL returns an error with the status 200.',
    override: ({ readDirection }) => {
      let hasNul = false
      return {
        readDirection: (value) => {
          hasNul = typeof value === 'string' && value.includes('\0')
          return readDirection(value)
        },
        finish: (response) => {
          const isWrong = hasNul && response.status === 400
          hasNul = false
          return isWrong ? { ...response, status: 200 } : response
        },
      }
    },
  },
  {
    id: 'error.cut-off-after-512-characters',
    breaks: ['plugin.errors.every'],
    summary: 'An error repeats the mode and is cut off after 512 characters.',
    override: (hooks) => {
      const { finish, ...rest } = repeatsField('readMode', quoted)(hooks)
      return {
        ...rest,
        finish: (response, request) => {
          const written = finish?.(response, request) ?? response
          return written.status < 400 ? written : { ...written, body: written.body?.slice(0, 512) }
        },
      }
    },
  },
  {
    id: 'error.path-repeated-as-it-is',
    breaks: ['plugin.errors.every'],
    summary: 'The 404 of an unknown path repeats the decoded path without escaping it.',
    override: repeats(
      (status, request) => (status === 404 && asks(request, 'GET') ? decodedPath(request) : undefined),
      (text) => text,
    ),
  },
  {
    id: 'error.index-repeated-as-it-is',
    breaks: ['plugin.errors.every'],
    summary: 'The 404 of an unknown index repeats the decoded path without escaping it.',
    override: repeats(
      (status, request) => (status === 404 && asks(request, 'DELETE') ? decodedPath(request) : undefined),
      (text) => text,
    ),
  },
  {
    id: 'error.key-repeated-as-it-is',
    breaks: ['plugin.errors.every'],
    summary: 'A 401 repeats the given X-API-Key without escaping it.',
    override: repeats(
      (status, { headers }) => (status === 401 ? headers['x-api-key']?.toString() : undefined),
      (text) => text,
    ),
  },
]
