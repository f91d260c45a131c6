import { METHODS } from 'node:http'
import { changesResponse } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { OperationName } from '../hooks/method.ts'
import type { EndpointName } from '../hooks/path.ts'
import type { Defect } from './defect.ts'

/** A server that serves one method more than documented. */
function alsoServes(endpoint: EndpointName, method: string, operation: OperationName): Defect['override'] {
  return ({ methodsOf }) => ({
    methodsOf: (name) => {
      const methods = methodsOf(name)
      return name === endpoint ? new Map([...methods, [method, operation]]) : methods
    },
  })
}

/** A server that sends another Allow header with a 405. */
function allows(spell: (allow: readonly string[]) => string): Defect['override'] {
  return ({ methodNotAllowed }) => ({
    methodNotAllowed: (allow) => new ErrorResponse(405, methodNotAllowed(allow).message, { Allow: spell(allow) }),
  })
}

/** Clause 7: methods that a path does not serve. */
export const methodDefects: readonly Defect[] = [
  {
    id: 'method.status-for-post',
    breaks: ['plugin.method.not-allowed'],
    summary: 'POST /api/status returns the status.',
    override: alsoServes('status', 'POST', 'read-status'),
  },
  {
    id: 'method.patch-is-501',
    breaks: ['plugin.method.not-allowed', 'plugin.method.rule'],
    summary: 'PATCH returns 501.',
    override: changesResponse(
      (_, { method }) => method === 'PATCH',
      (response) => ({ ...response, status: 501 }),
    ),
  },
  {
    id: 'method.unknown-is-a-501-page',
    breaks: ['plugin.errors.every'],
    summary: 'A method that HTTP does not know returns 501 with an HTML page.',
    override: ({ encodeJson, errorBody }) => {
      const page = '<h1>Unsupported method</h1>'
      return {
        unknownMethod: () => new ErrorResponse(501, page, { 'Content-Type': 'text/html' }),
        errorBody: (message, status) => (message === page ? page : errorBody(message, status)),
        encodeJson: (json) => (json === page ? Buffer.from(page) : encodeJson(json)),
      }
    },
  },
  {
    id: 'method.taken-from-a-header',
    breaks: ['plugin.list.unrequested-change'],
    summary: 'X-HTTP-Method-Override replaces the method of any request, where the path serves that one.',
    override: ({ readApiKeyHeader, methodsOf }) => {
      let taken = ''
      return {
        readApiKeyHeader: (headers) => {
          taken = String(headers['x-http-method-override'])
          return readApiKeyHeader(headers)
        },
        methodsOf: (name) => {
          const methods = methodsOf(name)
          const operation = methods.get(taken)
          return operation === undefined ? methods : new Map(METHODS.map((method) => [method, operation]))
        },
      }
    },
  },
  {
    id: 'method.put-adds',
    breaks: ['plugin.method.not-allowed', 'plugin.list.unrequested-change'],
    summary: 'PUT /api/rules adds a rule.',
    override: alsoServes('rules', 'PUT', 'add-rule'),
  },
  {
    id: 'method.delete-without-index-removes-the-first',
    breaks: ['plugin.method.not-allowed'],
    summary: 'DELETE /api/rules removes the first rule.',
    override: (hooks) => ({
      ...alsoServes('rules', 'DELETE', 'remove-rule')(hooks),
      parseIndex: (text) => (text === '' ? hooks.indexOf(0) : hooks.parseIndex(text)),
    }),
  },
  {
    id: 'method.delete-without-index-empties-the-list',
    breaks: ['plugin.method.not-allowed'],
    summary: 'DELETE /api/rules returns 405, but empties the list.',
    override: (hooks) => ({
      ...alsoServes('rules', 'DELETE', 'remove-rule')(hooks),
      parseIndex: (text) => (text === '' ? hooks.indexOf(-1) : hooks.parseIndex(text)),
      holdsPosition: (rules, position) => position === -1 || hooks.holdsPosition(rules, position),
      removeRule: (rules, position) => (position === -1 ? [] : hooks.removeRule(rules, position)),
      finish: (response, { method, url }) =>
        method === 'DELETE' && url === '/api/rules' ? { ...response, status: 405 } : response,
    }),
  },
  {
    id: 'method.rule-unknown-for-get',
    breaks: ['plugin.method.rule'],
    summary: 'GET of a rule returns 404.',
    override: ({ invalidIndex, methodNotAllowed, methodsOf }) => ({
      methodNotAllowed: (allow) => (allow.length === methodsOf('rule').size ? invalidIndex() : methodNotAllowed(allow)),
    }),
  },
  {
    id: 'method.put-removes-the-rule',
    breaks: ['plugin.method.rule', 'plugin.list.unrequested-change'],
    summary: 'PUT of a rule removes it.',
    override: alsoServes('rule', 'PUT', 'remove-rule'),
  },
  {
    id: 'method.post-to-rule-adds',
    breaks: ['plugin.method.rule', 'plugin.list.unrequested-change'],
    summary: 'POST to the path of a rule adds a rule.',
    override: alsoServes('rule', 'POST', 'add-rule'),
  },
  {
    id: 'method.not-allowed-is-400',
    breaks: ['plugin.method.not-allowed', 'plugin.method.rule'],
    summary: 'A method that is not allowed returns 400.',
    override: ({ methodNotAllowed }) => ({
      methodNotAllowed: (allow) => new ErrorResponse(400, methodNotAllowed(allow).message),
    }),
  },
  {
    id: 'method.allow-missing',
    breaks: ['plugin.method.allow'],
    summary: 'A 405 response has no Allow header.',
    override: ({ methodNotAllowed }) => ({
      methodNotAllowed: (allow) => new ErrorResponse(405, methodNotAllowed(allow).message),
    }),
  },
  {
    id: 'method.allow-the-first-only',
    breaks: ['plugin.method.allow'],
    summary: 'Allow contains only the first method of the path.',
    override: allows(([first = '']) => first),
  },
  {
    id: 'method.allow-without-commas',
    breaks: ['plugin.method.allow'],
    summary: 'The methods in Allow are separated by spaces.',
    override: allows((allow) => allow.join(' ')),
  },
  {
    id: 'method.allow-the-same-everywhere',
    breaks: ['plugin.method.allow'],
    summary: 'Allow is GET, POST on every path, including the path of a rule.',
    override: allows(() => 'GET, POST'),
  },
]
