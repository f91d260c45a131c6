import type { IncomingMessage } from 'node:http'
import { asks, changesResponse, textOf, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { Defect } from './defect.ts'
import { errorsBecome } from './overrides.ts'

type Applies = (status: number, request: IncomingMessage) => boolean

/** A server whose errors are an HTML page where `applies` says so. */
function pageWhere(applies: Applies): Defect['override'] {
  return changesResponse(applies, (response) => withText(response, `<h1>${response.status}</h1>`, 'text/html'))
}

/** A server whose errors are plain text where `applies` says so. */
function textWhere(applies: Applies): Defect['override'] {
  return changesResponse(applies, (response) => withText(response, 'Error'))
}

/** Distinguishes the errors of the parser from others. */
const parserMark = 'HTTP: '

const ofIndex = (request: IncomingMessage) => asks(request, 'DELETE /api/rules/')

const withType = (type: string) => (response: HttpResponse) => withText(response, textOf(response), type)

/** Clauses 4.2 and 7: the form of an error, and the Content-Type of a response. */
export const errorDefects: readonly Defect[] = [
  {
    id: 'error.400-in-an-array',
    breaks: ['plugin.errors.every'],
    summary: 'A 400 contains an array of errors: { errors: [...] }.',
    override: errorsBecome(
      (status) => status === 400,
      (message) => ({ errors: [message] }),
    ),
  },
  {
    id: 'error.400-of-the-parser-is-text',
    breaks: ['plugin.errors.every'],
    summary: 'A JSON parser error is sent as plain text.',
    override: () => ({
      finish: (response) =>
        textOf(response).includes('Invalid JSON') ? withText(response, 'parse error at 1') : response,
    }),
  },
  {
    id: 'error.401-is-a-page',
    breaks: ['plugin.errors.every', 'plugin.json.content-type'],
    summary: 'A 401 is an HTML page.',
    override: pageWhere((status) => status === 401),
  },
  {
    id: 'error.401-of-bearer-says-message',
    breaks: ['plugin.errors.every'],
    summary: 'A wrong key in Authorization returns error_description instead of error.',
    override: errorsBecome(
      (status, { headers }) => status === 401 && headers.authorization !== undefined,
      (message) => ({ error_description: message }),
    ),
  },
  {
    id: 'error.404-of-path-is-a-page',
    breaks: ['plugin.errors.every', 'plugin.json.content-type'],
    summary: 'An unknown path returns an HTML page, an invalid index returns JSON.',
    override: changesResponse(
      (status, request) => status === 404 && !ofIndex(request),
      (response) => withText(response, '<h1>Not Found</h1>', 'text/html'),
    ),
  },
  {
    id: 'error.404-of-index-is-empty',
    breaks: ['plugin.errors.every'],
    summary: 'An invalid index returns 404 with an empty object.',
    override: errorsBecome(
      (status, request) => status === 404 && ofIndex(request),
      () => ({}),
    ),
  },
  {
    id: 'error.404-of-index-cut-off',
    breaks: ['plugin.errors.every'],
    summary: 'Content-Length counts characters instead of bytes, which cuts off the error of an invalid index.',
    override: ({ encodeJson }) =>
      changesResponse(
        (status, request) => status === 404 && ofIndex(request),
        (response) => ({ ...response, body: encodeJson({ error: 'Ungültiger Index.' }).subarray(0, -1) }),
      )(),
  },
  {
    id: 'error.405-without-body',
    breaks: ['plugin.errors.every', 'plugin.json.content-type'],
    summary: 'A 405 response has no body.',
    override: changesResponse(
      (status) => status === 405,
      (response) => ({ ...response, body: new Uint8Array(), headers: { Allow: 'GET' } }),
    ),
  },
  {
    id: 'error.405-as-number',
    breaks: ['plugin.errors.every'],
    summary: 'The error field of a 405 response is the number 405.',
    override: errorsBecome(
      (status) => status === 405,
      (_, status) => ({ error: status }),
    ),
  },
  {
    id: 'error.500-as-object',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'The error of a 500 is an object with code and message; other errors are strings.',
    override: errorsBecome(
      (status) => status === 500,
      (message, code) => ({ error: { code, message } }),
    ),
  },
  {
    id: 'error.500-is-a-page',
    breaks: ['plugin.capacity.answers-500'],
    summary: 'A full list returns an HTML page with 500.',
    override: pageWhere((status) => status === 500),
  },
  {
    id: 'error.401-of-post-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'POST without the key returns an HTML page.',
    override: pageWhere((status, request) => status === 401 && asks(request, 'POST')),
  },
  {
    id: 'error.401-of-delete-is-text',
    breaks: ['plugin.errors.every'],
    summary: 'DELETE without the key returns plain text.',
    override: textWhere((status, request) => status === 401 && asks(request, 'DELETE')),
  },
  {
    id: 'error.404-of-delete-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'DELETE of an unknown path returns an HTML page.',
    override: pageWhere((status, request) => status === 404 && asks(request, 'DELETE') && !ofIndex(request)),
  },
  {
    id: 'error.404-of-minus-one-is-text',
    breaks: ['plugin.errors.every'],
    summary: 'The index -1 returns plain text.',
    override: textWhere((status, { url = '' }) => status === 404 && url.endsWith('/-1')),
  },
  {
    id: 'error.404-of-empty-index-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'An empty index returns an HTML page.',
    override: pageWhere((status, { url = '' }) => status === 404 && url.endsWith('/')),
  },
  {
    id: 'error.400-of-missing-value-is-text',
    breaks: ['plugin.errors.every'],
    summary: 'A missing value returns plain text, other missing fields return JSON.',
    override: () => ({
      finish: (response) =>
        response.status === 400 && /\bvalue\b/.test(textOf(response)) ? withText(response, 'no value') : response,
    }),
  },
  {
    id: 'error.404-below-rule-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'A path below a rule returns an HTML page.',
    override: pageWhere((status, { url = '' }) => status === 404 && url.split('/').length > 4),
  },
  {
    id: 'error.405-of-delete-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'DELETE of the status returns an HTML page.',
    override: pageWhere((status, request) => status === 405 && asks(request, 'DELETE /api/status')),
  },
  {
    id: 'error.400-of-wrong-field-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'A field with a wrong value returns an HTML page; a missing field returns JSON.',
    override: () => ({
      finish: (response) =>
        response.status === 400 && /\bmust\b/.test(textOf(response))
          ? withText(response, '<h1>Bad Request</h1>', 'text/html')
          : response,
    }),
  },
  {
    id: 'error.repeated-mode-not-escaped',
    breaks: ['plugin.errors.every'],
    summary: 'The error of a wrong mode repeats the mode without escaping it.',
    override: ({ readMode }) => {
      let mode: unknown
      return {
        readMode: (value) => {
          mode = value
          return readMode(value)
        },
        finish: (response, request) =>
          response.status === 400 && asks(request, 'POST') && typeof mode === 'string'
            ? withText(response, `{"error":"The mode ${mode} is unknown."}`, 'application/json')
            : response,
      }
    },
  },
  {
    id: 'error.405-of-rule-is-a-page',
    breaks: ['plugin.errors.every'],
    summary: 'A wrong method on /api/rules/{index} returns an HTML page.',
    override: pageWhere((status, { url = '' }) => status === 405 && url.startsWith('/api/rules/')),
  },
  {
    id: 'error.of-the-parser-has-a-message',
    breaks: ['plugin.errors.every'],
    summary: 'The response to malformed HTTP is { message: string }.',
    override: ({ errorBody, unparsable }) => ({
      unparsable: (problem, code) => {
        const { status, message, headers } = unparsable(problem, code)
        return new ErrorResponse(status, `${parserMark}${message}`, headers)
      },
      errorBody: (message, status) => (message.startsWith(parserMark) ? { message } : errorBody(message, status)),
    }),
  },
  {
    id: 'error.401-of-unknown-path-is-text',
    breaks: ['plugin.errors.every'],
    maskedBy: [{ answers: { 'plugin.auth.before-path': 'after' } }],
    summary: 'An unknown path with a wrong key returns plain text.',
    override: textWhere((status, { url = '' }) => status === 401 && url.startsWith('/api/unknown')),
  },
  {
    id: 'error.401-without-words',
    breaks: ['plugin.errors.description'],
    summary: 'The error text of a 401 is empty.',
    override: errorsBecome(
      (status) => status === 401,
      () => ({ error: '' }),
    ),
  },
  {
    id: 'error.405-of-blanks',
    breaks: ['plugin.errors.description'],
    summary: 'The error text of a 405 is a space.',
    override: errorsBecome(
      (status) => status === 405,
      () => ({ error: ' ' }),
    ),
  },
  {
    id: 'error.sent-as-text',
    breaks: ['plugin.json.content-type'],
    summary: 'Errors are JSON, but sent as text/plain.',
    override: changesResponse((status) => status >= 400, withType('text/plain')),
  },
  {
    id: 'error.400-called-problem',
    breaks: ['plugin.json.content-type'],
    summary: 'A 400 is sent as application/problem+json, other errors as application/json.',
    override: changesResponse((status) => status === 400, withType('application/problem+json')),
  },
  {
    id: 'answer.json-called-text',
    breaks: ['plugin.json.content-type'],
    summary: 'The list has Content-Type text/plain.',
    override: changesResponse(
      (status, request) => asks(request, 'GET /api/rules') && status === 200,
      withType('text/plain'),
    ),
  },
  {
    id: 'answer.removal-called-html',
    breaks: ['plugin.json.content-type'],
    summary: 'The response to a DELETE is sent as text/html.',
    override: changesResponse((status, request) => ofIndex(request) && status === 200, withType('text/html')),
  },
]
