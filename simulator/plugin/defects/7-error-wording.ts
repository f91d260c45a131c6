import type { Defect } from './defect.ts'
import { asks, errorsBecome, textOf, withText } from './wire.ts'

/** Clauses 4.2 and 7: the wording of an error, and what an answer calls itself. */
export const wordingDefects: readonly Defect[] = [
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
    breaks: ['plugin.errors.content-type'],
    summary: 'Errors are JSON, but sent as text/plain.',
    override: () => ({
      finish: (response) => (response.status >= 400 ? withText(response, textOf(response)) : response),
    }),
  },
  {
    id: 'error.400-called-problem',
    breaks: ['plugin.errors.content-type'],
    summary: 'A 400 is sent as application/problem+json, other errors as application/json.',
    override: () => ({
      finish: (response) =>
        response.status === 400 ? withText(response, textOf(response), 'application/problem+json') : response,
    }),
  },
  {
    id: 'answer.json-called-text',
    breaks: ['plugin.json.content-type'],
    summary: 'The list has Content-Type text/plain.',
    override: () => ({
      finish: (response, request) =>
        asks(request, 'GET /api/rules') && response.status === 200 ? withText(response, textOf(response)) : response,
    }),
  },
  {
    id: 'answer.removal-called-html',
    breaks: ['plugin.json.content-type'],
    summary: 'The response to a DELETE is sent as text/html.',
    override: () => ({
      finish: (response, request) =>
        asks(request, 'DELETE /api/rules/') && response.status === 200
          ? withText(response, textOf(response), 'text/html')
          : response,
    }),
  },
]
