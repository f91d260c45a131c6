import type { IncomingMessage } from 'node:http'
import { is, textOf, withHeader, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse, type HttpResponse } from '../../server/response.ts'
import type { Rule } from '../model/rule.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Mutation } from './known.ts'
import { errorsBecome, responds } from './overrides.ts'

const asPage = (response: HttpResponse) => withText(response, `<h1>${response.status}</h1>`, 'text/html')

const asText = (response: HttpResponse) => withText(response, 'Error')

/** Sends a response with another Content-Type than application/json. */
const sentAs = (type: string) => withHeader('Content-Type', type)

/** A server that changes a 400 whose text matches. */
const where400Says = (text: RegExp, change: (response: HttpResponse) => HttpResponse) =>
  responds(is(400), (response) => (text.test(textOf(response)) ? change(response) : response))

/** Distinguishes errors of the HTTP parser from others. */
const parserMark = 'HTTP: '

const deleteOfRule = 'DELETE /api/rules/'

/** A server whose rejection of a POST depends on the text in a field of the body. */
function answersField(field: keyof Rule, answer: (response: HttpResponse, sent: string) => HttpResponse): Mutation {
  return responds(is(400, 'POST'), (response, _, { known }) => {
    const sent = known.members[field]
    return typeof sent === 'string' ? answer(response, sent) : response
  })
}

/** An error body that repeats a text, concatenated instead of encoded as JSON. */
const repeating = (text: string) => `{"error":"Rejected: ${text}"}`

const withError = (response: HttpResponse, text: string) => ({ ...response, body: Buffer.from(text) })

/** A server whose errors repeat the text of a field. */
function repeatsField(field: keyof Rule, write: (text: string) => string): Mutation {
  return answersField(field, (response, sent) => withError(response, write(sent)))
}

const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

const withRawControls = (json: string) =>
  json.replace(/\\u([01][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A server whose 404 repeats the decoded path without escaping. */
function repeatsPath(method: string): Mutation {
  return responds(is(404, method), (response, request) => withError(response, repeating(decodedPath(request))))
}

function decodedPath({ url = '' }: IncomingMessage): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Clauses 4.2 and 7: the format of an error, also when it repeats a part of the request, and the Content-Type. */
export const errorDefects: readonly Defect[] = [
  ...rows('plugin.errors.every', {
    'method.unknown-returns-501-page A method that HTTP does not know returns 501 with an HTML page.': (hooks) => {
      const page = '<h1>Unsupported method</h1>'
      return {
        unknownMethod: () => new ErrorResponse(501, page, { 'Content-Type': 'text/html' }),
        errorBody: (message, status) => (message === page ? page : hooks.errorBody(message, status)),
        encodeJson: (json) => (json === page ? Buffer.from(page) : hooks.encodeJson(json)),
      }
    },
    'error.400-in-an-array A 400 contains an array of errors: { errors: [...] }.': () =>
      errorsBecome(is(400), (message) => ({ errors: [message] })),
    'error.400-of-the-parser-is-plain-text A JSON parser error is plain text.': where400Says(/Invalid JSON/, asText),
    'error.401-of-bearer-has-error-description A wrong key in Authorization returns error_description instead of error.':
      errorsBecome(
        (status, { headers }) => status === 401 && headers.authorization !== undefined,
        (message) => ({ error_description: message }),
      ),
    'error.404-of-index-is-empty An invalid index returns 404 with an empty object.': () =>
      errorsBecome(is(404, deleteOfRule), () => ({})),
    'error.404-of-index-truncated Content-Length counts characters instead of bytes, which cuts off the error of an invalid index.':
      responds(is(404, deleteOfRule), (response) => ({
        ...response,
        body: Buffer.from('{"error":"Ungültiger Index."}').subarray(0, -1),
      })),
    'error.405-as-number The error field of a 405 response is the number 405.': () =>
      errorsBecome(is(405), (_, status) => ({ error: status })),
    'error.401-of-post-is-html POST without the key returns an HTML page.': responds(is(401, 'POST'), asPage),
    'error.401-of-delete-is-plain-text DELETE without the key returns plain text.': responds(is(401, 'DELETE'), asText),
    'error.404-of-delete-is-html DELETE of an unknown path returns an HTML page.': () =>
      responds(is(404, /^DELETE (?!\/api\/rules\/)/), asPage),
    'error.404-of-minus-one-is-plain-text The index -1 returns plain text.': responds(is(404, /\/-1$/), asText),
    'error.404-of-empty-index-is-html An empty index returns an HTML page.': responds(is(404, /\/$/), asPage),
    'error.400-of-missing-value-is-plain-text A missing value returns plain text, other missing fields return JSON.':
      where400Says(/\bvalue\b/, asText),
    'error.404-below-rule-is-html A path below a rule returns an HTML page.': responds(is(404, /(\/[^/]*){4}/), asPage),
    'error.405-of-delete-is-html DELETE of the status returns HTML.': responds(is(405, 'DELETE /api/status'), asPage),
    'error.400-of-wrong-field-is-html A field with a wrong value returns an HTML page; a missing field returns JSON.':
      where400Says(/\bmust\b/, asPage),
    'error.repeated-mode-not-escaped The error of a wrong mode repeats the mode without escaping it.': () =>
      repeatsField('mode', (mode) => `{"error":"The mode ${mode} is unknown."}`),
    'error.405-of-rule-is-html A wrong method on /api/rules/{index} returns an HTML page.': () =>
      responds(is(405, /^\w+ \/api\/rules\//), asPage),
    'error.of-the-parser-has-a-message The response to malformed HTTP is { message: string }.': (hooks) => ({
      unparsable: (problem, code) => {
        const { status, message, headers } = hooks.unparsable(problem, code)
        return new ErrorResponse(status, `${parserMark}${message}`, headers)
      },
      errorBody: (message, status) => (message.startsWith(parserMark) ? { message } : hooks.errorBody(message, status)),
    }),
    'error.401-of-unknown-path-is-plain-text An unknown path with a wrong key returns plain text.': masked({
      'plugin.auth.before-path': 'after',
    })(responds(is(401, /^\w+ \/api\/unknown/), asText)),
    'error.direction-echoed-with-quotes-escaped-only An error repeats the direction and escapes only quotation marks.':
      repeatsField('direction', (text) => repeating(text.replaceAll('"', '\\"'))),
    'error.value-echoed-with-raw-control-characters An error repeats the value and escapes only quotation marks, backslashes and line breaks.':
      repeatsField('value', (text) => repeating(withRawControls(quoted(text)))),
    'error.direction-with-nul-returns-200 A direction with a NUL returns an error with the status 200.': answersField(
      'direction',
      (response, sent) => (sent.includes('\0') ? { ...response, status: 200 } : response),
    ),
    'error.cut-off-after-512-characters An error repeats the mode and is cut off after 512 characters.': () =>
      repeatsField('mode', (text) => repeating(quoted(text)).slice(0, 512)),
    'error.404-length-in-characters The 404 of an unknown path repeats the decoded path, and its length counts characters.':
      responds(is(404, 'GET'), (response, request) => {
        const text = repeating(quoted(decodedPath(request)).replaceAll('\u2028', '\\u2028'))
        return { ...response, body: Buffer.from(text).subarray(0, text.length) }
      }),
    'error.path-echoed-unescaped The 404 of an unknown path repeats the decoded path unescaped.': repeatsPath('GET'),
    'error.index-echoed-unescaped The 404 of an unknown index repeats the decoded path without escaping it.':
      repeatsPath('DELETE'),
    'error.key-echoed-unescaped A 401 repeats the given X-API-Key without escaping it.': () =>
      responds(is(401), (response, { headers }) =>
        headers['x-api-key'] === undefined ? response : withError(response, repeating(`${headers['x-api-key']}`)),
      ),
  }),
  ...rows(['plugin.errors.every', 'plugin.json.content-type'], {
    'error.401-is-html A 401 is an HTML page.': responds(is(401), asPage),
    'error.404-of-path-is-html An unknown path returns an HTML page, an invalid index returns JSON.': () =>
      responds(is(404, /^(?!DELETE \/api\/rules\/)/), asPage),
    'error.405-is-plain-text A 405 response is plain text.': responds(is(405), asText),
    'error.405-without-body A 405 response has no body.': () =>
      responds(is(405), ({ status }) => ({ status, body: new Uint8Array(), headers: { Allow: 'GET' } })),
  }),
  ...rows('plugin.capacity.answers-500', {
    'error.500-as-object The error of a 500 is an object with code and message; other errors are strings.':
      errorsBecome(is(500), (message, code) => ({ error: { code, message } })),
    'error.500-is-html A full list returns an HTML page with 500.': responds(is(500), asPage),
  }),
  ...rows('plugin.errors.description', {
    'error.401-empty The error text of a 401 is empty.': errorsBecome(is(401), () => ({ error: '' })),
    'error.400-blank The error text of a 400 is a space.': errorsBecome(is(400), () => ({ error: ' ' })),
  }),
  ...rows('plugin.json.content-type', {
    'error.sent-as-plain-text Errors are JSON, but sent as text/plain.': () =>
      responds((status) => status >= 400, sentAs('text/plain')),
    'error.400-sent-as-problem-json A 400 is sent as application/problem+json, other errors as application/json.':
      responds(is(400), sentAs('application/problem+json')),
    'response.list-sent-as-text The list has Content-Type text/plain.': () =>
      responds(is(200, 'GET /api/rules'), sentAs('text/plain')),
    'response.delete-sent-as-html The response to a DELETE is sent as text/html.': () =>
      responds(is(200, deleteOfRule), sentAs('text/html')),
  }),
]
