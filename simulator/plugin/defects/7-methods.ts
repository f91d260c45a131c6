import { METHODS } from 'node:http'
import { both } from '../../defect-parts/events.ts'
import { changesResponse, to, withStatus } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { EndpointName, OperationName } from '../hooks/endpoints.ts'
import { type Defect, rows } from './defect.ts'
import { knowing } from './known.ts'

/** A server that serves one method more than documented. */
function alsoServes(endpoint: EndpointName, method: string, operation: OperationName): Defect['override'] {
  return ({ methodsOf }) => ({
    methodsOf: (name) => {
      const methods = methodsOf(name)
      return name === endpoint ? new Map([...methods, [method, operation]]) : methods
    },
  })
}

/** A server that rejects a method that is not allowed with another status, or with another Allow header or none. */
function rejects(status: number, spell?: (allow: readonly string[]) => string): Defect['override'] {
  return ({ methodNotAllowed }) => ({
    methodNotAllowed: (allow) =>
      new ErrorResponse(status, methodNotAllowed(allow).message, spell && { Allow: spell(allow) }),
  })
}

/** A server that serves DELETE /api/rules like DELETE of the rule with this index. */
function deletesWithoutIndex(index: number): Defect['override'] {
  return both(alsoServes('rules', 'DELETE', 'remove-rule'), ({ parseIndex, indexOf }) => ({
    parseIndex: (text) => (text === '' ? indexOf(index) : parseIndex(text)),
  }))
}

/** Clause 7: methods that a path does not serve. */
export const methodDefects: readonly Defect[] = [
  ...rows('plugin.method.not-allowed', {
    'method.status-for-post': ['POST /api/status returns the status.', alsoServes('status', 'POST', 'read-status')],
    'method.delete-without-index-removes-the-first': [
      'DELETE /api/rules removes the first rule.',
      deletesWithoutIndex(0),
    ],
    'method.delete-without-index-empties-the-list': [
      'DELETE /api/rules returns 405, but empties the list.',
      both(deletesWithoutIndex(-1), ({ holdsPosition, removeRule }) => ({
        holdsPosition: (rules, position) => position === -1 || holdsPosition(rules, position),
        removeRule: (rules, position) => (position === -1 ? [] : removeRule(rules, position)),
        ...changesResponse(to(/^DELETE \/api\/rules$/), withStatus(405))(),
      })),
    ],
  }),
  ...rows(['plugin.method.not-allowed', 'plugin.method.rule'], {
    'method.patch-is-501': ['PATCH returns 501.', changesResponse(to('PATCH '), withStatus(501))],
    'method.not-allowed-is-400': ['A method that is not allowed returns 400.', rejects(400)],
  }),
  ...rows('plugin.errors.every', {
    'method.unknown-is-a-501-page': [
      'A method that HTTP does not know returns 501 with an HTML page.',
      ({ encodeJson, errorBody }) => {
        const page = '<h1>Unsupported method</h1>'
        return {
          unknownMethod: () => new ErrorResponse(501, page, { 'Content-Type': 'text/html' }),
          errorBody: (message, status) => (message === page ? page : errorBody(message, status)),
          encodeJson: (json) => (json === page ? Buffer.from(page) : encodeJson(json)),
        }
      },
    ],
  }),
  ...rows('plugin.list.unrequested-change', {
    'method.taken-from-a-header': [
      'X-HTTP-Method-Override replaces the method of any request, where the path serves that one.',
      knowing(({ methodsOf }, known) => ({
        methodsOf: (name) => {
          const methods = methodsOf(name)
          const operation = methods.get(`${known.headers['x-http-method-override']}`)
          return operation === undefined ? methods : new Map(METHODS.map((method) => [method, operation]))
        },
      })),
    ],
  }),
  ...rows(['plugin.method.not-allowed', 'plugin.list.unrequested-change'], {
    'method.put-adds': ['PUT /api/rules adds a rule.', alsoServes('rules', 'PUT', 'add-rule')],
  }),
  ...rows('plugin.method.rule', {
    'method.rule-unknown-for-get': [
      'GET of a rule returns 404.',
      ({ invalidIndex, methodNotAllowed, methodsOf }) => ({
        methodNotAllowed: (allow) =>
          allow.length === methodsOf('rule').size ? invalidIndex() : methodNotAllowed(allow),
      }),
    ],
  }),
  ...rows(['plugin.method.rule', 'plugin.list.unrequested-change'], {
    'method.put-removes-the-rule': ['PUT of a rule removes it.', alsoServes('rule', 'PUT', 'remove-rule')],
    'method.post-to-rule-adds': ['POST to the path of a rule adds a rule.', alsoServes('rule', 'POST', 'add-rule')],
  }),
  ...rows('plugin.method.allow', {
    'method.allow-missing': ['A 405 response has no Allow header.', rejects(405)],
    'method.allow-the-first-only': [
      'Allow contains only the first method of the path.',
      rejects(405, ([first = '']) => first),
    ],
    'method.allow-without-commas': [
      'The methods in Allow are separated by spaces.',
      rejects(405, (allow) => allow.join(' ')),
    ],
    'method.allow-the-same-everywhere': [
      'Allow is GET, POST on every path, including the path of a rule.',
      rejects(405, () => 'GET, POST'),
    ],
  }),
]
