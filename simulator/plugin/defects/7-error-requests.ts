import type { IncomingMessage } from 'node:http'
import type { Defect } from './defect.ts'
import { asks, textOf, withText } from './wire.ts'

type Applies = (status: number, request: IncomingMessage) => boolean

/** A server whose errors are a page for a browser where `applies` says so. */
function pageWhere(applies: Applies): Defect['override'] {
  return () => ({
    finish: (response, request) =>
      applies(response.status, request) ? withText(response, `<h1>${response.status}</h1>`, 'text/html') : response,
  })
}

/** A server whose errors are bare text where `applies` says so. */
function textWhere(applies: Applies): Defect['override'] {
  return () => ({
    finish: (response, request) => (applies(response.status, request) ? withText(response, 'Error') : response),
  })
}

const ofIndex = (request: IncomingMessage) => asks(request, 'DELETE /api/rules/')

/** Clause 7: the form of an error that only some requests meet. */
export const requestErrorDefects: readonly Defect[] = [
  {
    id: 'error.401-of-post-is-a-page',
    breaks: ['plugin.errors.401'],
    summary: 'POST without the key returns an HTML page.',
    override: pageWhere((status, request) => status === 401 && asks(request, 'POST')),
  },
  {
    id: 'error.401-of-delete-is-text',
    breaks: ['plugin.errors.401'],
    summary: 'DELETE without the key returns plain text.',
    override: textWhere((status, request) => status === 401 && asks(request, 'DELETE')),
  },
  {
    id: 'error.404-of-post-is-text',
    breaks: ['plugin.errors.404-path'],
    summary: 'POST to an unknown path returns plain text.',
    override: textWhere((status, request) => status === 404 && asks(request, 'POST')),
  },
  {
    id: 'error.404-of-delete-is-a-page',
    breaks: ['plugin.errors.404-path'],
    summary: 'DELETE of an unknown path returns an HTML page.',
    override: pageWhere((status, request) => status === 404 && asks(request, 'DELETE') && !ofIndex(request)),
  },
  {
    id: 'error.404-of-minus-one-is-text',
    breaks: ['plugin.errors.404-index'],
    summary: 'The index -1 returns plain text.',
    override: textWhere((status, { url = '' }) => status === 404 && url.endsWith('/-1')),
  },
  {
    id: 'error.404-of-empty-index-is-a-page',
    breaks: ['plugin.errors.404-index'],
    summary: 'An empty index returns an HTML page.',
    override: pageWhere((status, { url = '' }) => status === 404 && url.endsWith('/')),
  },
  {
    id: 'error.404-of-ten-digits-is-text',
    breaks: ['plugin.errors.404-index'],
    summary: 'An index of ten digits returns plain text.',
    override: textWhere((status, { url = '' }) => status === 404 && /\/\d{10,}$/.test(url)),
  },
  {
    id: 'error.400-of-missing-value-is-text',
    breaks: ['plugin.errors.400'],
    summary: 'A missing value returns plain text, other missing fields return JSON.',
    override: () => ({
      finish: (response) =>
        response.status === 400 && /\bvalue\b/.test(textOf(response)) ? withText(response, 'no value') : response,
    }),
  },
  {
    id: 'error.404-below-rule-is-a-page',
    breaks: ['plugin.errors.404-path'],
    summary: 'A path below a rule returns an HTML page.',
    override: pageWhere((status, { url = '' }) => status === 404 && url.split('/').length > 4),
  },
  {
    id: 'error.405-of-patch-is-text',
    breaks: ['plugin.errors.405'],
    summary: 'PATCH returns plain text.',
    override: textWhere((status, request) => status === 405 && asks(request, 'PATCH')),
  },
  {
    id: 'error.405-of-delete-is-a-page',
    breaks: ['plugin.errors.405'],
    summary: 'DELETE of the status returns an HTML page.',
    override: pageWhere((status, request) => status === 405 && asks(request, 'DELETE /api/status')),
  },
]
