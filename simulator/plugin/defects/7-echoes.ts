import type { IncomingMessage } from 'node:http'
import { changesResponse, is } from '../../defect-parts/wire.ts'
import type { HttpResponse } from '../../server/response.ts'
import { type Defect, rows } from './defect.ts'

type Field = 'readMode' | 'readDirection' | 'readValue'

/** A server whose response to a POST that it rejects depends on the text in a field of the body. */
function answersField(
  field: Field,
  answer: (response: HttpResponse, sent: string) => HttpResponse,
): Defect['override'] {
  return (hooks) => {
    let seen: unknown
    return {
      [field]: (value: unknown) => {
        seen = value
        return hooks[field](value)
      },
      finish: (response, request) => {
        const sent = seen
        seen = undefined
        return typeof sent === 'string' && is(400, 'POST')(response.status, request) ? answer(response, sent) : response
      },
    }
  }
}

/** An error that repeats a text, written into the JSON by hand. */
const repeating = (text: string) => `{"error":"Rejected: ${text}"}`

const withError = (response: HttpResponse, text: string) => ({ ...response, body: Buffer.from(text) })

/** A server whose errors repeat the text in a field. */
export function repeatsField(field: Field, write: (text: string) => string): Defect['override'] {
  return answersField(field, (response, sent) => withError(response, write(sent)))
}

const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

const withRawControls = (json: string) =>
  json.replace(/\\u([01][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A server whose 404 repeats the decoded path as it is. */
function repeatsPath(method: string): Defect['override'] {
  return changesResponse(is(404, method), (response, request) => withError(response, repeating(decodedPath(request))))
}

function decodedPath({ url = '' }: IncomingMessage): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Clause 7: errors that repeat what was sent and are valid JSON only for ordinary texts. */
export const echoDefects: readonly Defect[] = rows('plugin.errors.every', {
  'error.direction-repeated-with-quotes-escaped-only': [
    'An error repeats the direction and escapes only quotation marks.',
    repeatsField('readDirection', (text) => repeating(text.replaceAll('"', '\\"'))),
  ],
  'error.value-repeated-with-raw-control-characters': [
    'An error repeats the value and escapes only quotation marks, backslashes and line breaks.',
    repeatsField('readValue', (text) => repeating(withRawControls(quoted(text)))),
  ],
  'error.direction-with-nul-returns-200': [
    'A direction with a NUL returns an error with the status 200.',
    answersField('readDirection', (response, sent) => (sent.includes('\0') ? { ...response, status: 200 } : response)),
  ],
  'error.cut-off-after-512-characters': [
    'An error repeats the mode and is cut off after 512 characters.',
    repeatsField('readMode', (text) => repeating(quoted(text)).slice(0, 512)),
  ],
  'error.path-repeated-as-it-is': [
    'The 404 of an unknown path repeats the decoded path without escaping it.',
    repeatsPath('GET'),
  ],
  'error.index-repeated-as-it-is': [
    'The 404 of an unknown index repeats the decoded path without escaping it.',
    repeatsPath('DELETE'),
  ],
  'error.key-repeated-as-it-is': [
    'A 401 repeats the given X-API-Key without escaping it.',
    changesResponse(is(401), (response, { headers }) =>
      headers['x-api-key'] === undefined ? response : withError(response, repeating(`${headers['x-api-key']}`)),
    ),
  ],
})
