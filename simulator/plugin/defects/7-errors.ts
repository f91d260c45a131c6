import type { IncomingMessage } from 'node:http'
import type { Defect } from './defect.ts'
import { asks, errorsBecome, textOf, withText } from './wire.ts'

/** A server whose answers with one status are a page for a browser. */
function page(status: number): Defect['override'] {
  return () => ({
    finish: (response) =>
      response.status === status ? withText(response, `<h1>${status}</h1>`, 'text/html') : response,
  })
}

const onRule = (request: IncomingMessage) => asks(request, 'DELETE /api/rules/')

/** Clause 7: the form of an error. */
export const errorDefects: readonly Defect[] = [
  {
    id: 'error.400-in-an-array',
    breaks: ['plugin.errors.400'],
    summary: 'A 400 contains an array of errors: { errors: [...] }.',
    override: errorsBecome(
      (status) => status === 400,
      (message) => ({ errors: [message] }),
    ),
  },
  {
    id: 'error.400-of-the-parser-is-text',
    breaks: ['plugin.errors.400'],
    summary: 'A JSON parser error is sent as plain text.',
    override: () => ({
      finish: (response) =>
        textOf(response).includes('Invalid JSON') ? withText(response, 'parse error at 1') : response,
    }),
  },
  {
    id: 'error.401-is-a-page',
    breaks: ['plugin.errors.401', 'plugin.errors.content-type'],
    summary: 'A 401 is an HTML page.',
    override: page(401),
  },
  {
    id: 'error.401-of-bearer-says-message',
    breaks: ['plugin.errors.401'],
    summary: 'A wrong key in Authorization returns error_description instead of error.',
    override: errorsBecome(
      (status, { headers }) => status === 401 && headers.authorization !== undefined,
      (message) => ({ error_description: message }),
    ),
  },
  {
    id: 'error.404-of-path-is-a-page',
    breaks: ['plugin.errors.404-path', 'plugin.errors.content-type'],
    summary: 'An unknown path returns an HTML page, an invalid index returns JSON.',
    override: () => ({
      finish: (response, request) =>
        response.status === 404 && !onRule(request) ? withText(response, '<h1>Not Found</h1>', 'text/html') : response,
    }),
  },
  {
    id: 'error.404-of-index-is-empty',
    breaks: ['plugin.errors.404-index'],
    summary: 'An invalid index returns 404 with an empty object.',
    override: errorsBecome(
      (status, request) => status === 404 && onRule(request),
      () => ({}),
    ),
  },
  {
    id: 'error.404-of-index-cut-off',
    breaks: ['plugin.errors.404-index'],
    summary: 'Content-Length counts characters instead of bytes, which cuts off the error of an invalid index.',
    override: ({ encodeJson }) => ({
      finish: (response, request) => {
        if (response.status !== 404 || !onRule(request)) return response
        const body = encodeJson({ error: 'Ungültiger Index.' })
        return { ...response, body: body.subarray(0, body.length - 1) }
      },
    }),
  },
  {
    id: 'error.405-without-body',
    breaks: ['plugin.errors.405', 'plugin.errors.content-type'],
    summary: 'A 405 response has no body.',
    override: () => ({
      finish: (response) =>
        response.status === 405 ? { ...response, body: new Uint8Array(), headers: { Allow: 'GET' } } : response,
    }),
  },
  {
    id: 'error.405-as-number',
    breaks: ['plugin.errors.405'],
    summary: 'The error field of a 405 response is the number 405.',
    override: errorsBecome(
      (status) => status === 405,
      (_, status) => ({ error: status }),
    ),
  },
  {
    id: 'error.500-as-object',
    breaks: ['plugin.errors.500'],
    summary: 'The error of a 500 is an object with code and message; other errors are strings.',
    override: errorsBecome(
      (status) => status === 500,
      (message, code) => ({ error: { code, message } }),
    ),
  },
  {
    id: 'error.500-is-a-page',
    breaks: ['plugin.errors.500'],
    summary: 'A full list returns an HTML page with 500.',
    override: page(500),
  },
]
