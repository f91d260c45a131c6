import { METHODS } from 'node:http'
import { combine } from '../../defect-parts/combine.ts'
import { is, reject, to, withStatus } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { EndpointName, OperationName } from '../hooks/endpoints.ts'
import { type Defect, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'
import { argument, instead, responds, rewrites } from './overrides.ts'

/** A server that changes the first segment of a path before it compares it with `api`. */
function readsFirst(change: (segment: string) => string): Mutation {
  return instead('sameSegment', ({ sameSegment }, segment, known) =>
    sameSegment(known === 'api' ? change(segment) : segment, known),
  )
}

/** A server that serves one undocumented method. */
function alsoServes(endpoint: EndpointName, method: string, operation: OperationName): Mutation {
  return instead('methodsOf', ({ methodsOf }, name) => {
    const methods = methodsOf(name)
    return name === endpoint ? new Map([...methods, [method, operation]]) : methods
  })
}

/** A server that rejects a wrong method with another status, or with a wrong Allow header or none. */
function rejects(status: number, spell?: (allow: readonly string[]) => string): Mutation {
  return instead(
    'methodNotAllowed',
    ({ methodNotAllowed }, allow) =>
      new ErrorResponse(status, methodNotAllowed(allow).message, spell && { Allow: spell(allow) }),
  )
}

/** A server that takes an unknown method that begins with this one for it. */
function comparesByPrefix(method: string): Mutation {
  return instead('unknownMethod', ({ unknownMethod }, sent) =>
    sent.startsWith(method) ? { replaceBy: method } : unknownMethod(sent),
  )
}

/** A server that serves DELETE /api/rules like DELETE of the rule with this index. */
function deletesWithoutIndex(index: number): Mutation {
  return combine<Right>([
    alsoServes('rules', 'DELETE', 'remove-rule'),
    instead('parseIndex', ({ parseIndex, indexOf }, text) => (text === '' ? indexOf(index) : parseIndex(text))),
  ])
}

/** Clauses 7 and 9: unknown endpoints, and methods that a path does not serve. */
export const pathDefects: readonly Defect[] = [
  ...rows('plugin.path.unknown', {
    'path.compared-by-prefix A path that begins with a known path is accepted: /api/statuses is the status.': instead(
      'sameSegment',
      (_, segment, known) => segment.startsWith(known),
    ),
    'path.first-segment-compared-by-prefix A first segment that begins with api is accepted: /apis/rules is the list.':
      readsFirst((segment) => segment.slice(0, 3)),
    'path.first-segment-prefix-accepted A prefix of the first segment is accepted: /ap/rules is the list.': readsFirst(
      (segment) => (segment !== '' && 'api'.startsWith(segment) ? 'api' : segment),
    ),
    'path.first-segment-compared-by-suffix A first segment that ends in api is accepted: /xapi/status is the status.':
      readsFirst((segment) => segment.slice(-3)),
    'path.singular-accepted /api/rule is treated as /api/rules.': argument('sameSegment')((segment) =>
      segment === 'rule' ? 'rules' : segment,
    ),
    'path.unknown-returns-400 An unknown path returns 400.': instead('unknownEndpoint', () =>
      reject(400, 'Unknown endpoint.'),
    ),
    'path.unknown-post-returns-405 POST to an unknown path returns 405.': responds(is(404, 'POST'), withStatus(405)),
    'path.unknown-returns-405-for-changes DELETE of an unknown path returns 405, other methods return 404.': responds(
      is(404, /^DELETE (?!\/api\/rules\/)/),
      withStatus(405),
    ),
  }),
  ...rows('plugin.path.unknown', rewrites, {
    'path.api-prefix-optional The prefix /api is optional.': (path) =>
      /^\/(rules|status)\b/.test(path) ? `/api${path}` : path,
    'path.api-prefix-optional-for-an-index The prefix /api of the path of a rule is optional.': (path) =>
      /^\/rules\/./.test(path) ? `/api${path}` : path,
    'path.rules-compared-by-prefix-for-an-index The path of a rule may begin with more than /api/rules: /api/rules2/1 is the rule 1.':
      (path) => path.replace(/^\/api\/rules[^/]+\//, '/api/rules/'),
    'path.rule-found-in-a-longer-path The path of a rule is searched for in the path: /x/api/rules/1 is the rule 1.': (
      path,
    ) => /\/api\/rules\/.+$/.exec(path)?.[0] ?? path,
    'path.file-extension-ignored The extension .json of a path is ignored.': (path) => path.replace(/\.json$/, ''),
    'path.segments-after-index-ignored Path segments after the index are ignored.': (path) =>
      path.split('/').slice(0, 4).join('/'),
    'path.index-is-the-last-segment The last segment of any path below /api/rules is the index.': (path) =>
      path.replace(/^\/api\/rules\/.*\//, '/api/rules/'),
    'path.version-prefix-accepted /api/v1 is treated as /api.': (path) => path.replace(/^\/api\/v\d+\//, '/api/'),
    'path.compared-by-suffix Segments before the last /api are ignored.': (path) =>
      path.slice(Math.max(0, path.lastIndexOf('/api/'))),
    'path.segments-after-status-ignored Path segments after /api/status are ignored.': (path) =>
      path.startsWith('/api/status/') ? '/api/status' : path,
  }),
  ...rows('plugin.path.root', {
    'path.root-returns-200 The root returns 200 with a greeting.': responds(to(/^\w+ \/$/), (response) => ({
      ...response,
      status: 200,
      body: Buffer.from('{"service":"Service Copy Trade"}'),
    })),
    'path.rules-outside-return-200 GET /rules returns 200 with the error.': responds(
      is(404, /^GET \/rules$/),
      withStatus(200),
    ),
  }),
  ...rows('plugin.method.not-allowed', {
    'method.status-for-post POST /api/status returns the status.': alsoServes('status', 'POST', 'read-status'),
    'method.delete-without-index-removes-the-first DELETE /api/rules removes the first rule.': deletesWithoutIndex(0),
    'method.delete-with-an-index-in-the-body-removes DELETE /api/rules removes the rule whose index is in the body.':
      () => {
        let body: Uint8Array = new Uint8Array()
        return combine<Right>([
          alsoServes('rules', 'DELETE', 'remove-rule'),
          instead('judgeDeleteBody', (_, bytes) => {
            body = bytes
            return undefined
          }),
          instead('parseIndex', ({ parseIndex, methodNotAllowed }, text) => {
            if (text !== '') return parseIndex(text)
            const index = /"index":(\d+)/.exec(Buffer.from(body).toString())?.[1]
            if (index === undefined) throw methodNotAllowed(['GET', 'POST'])
            return Number(index)
          }),
        ])
      },
    'method.delete-without-index-empties-the-list DELETE /api/rules returns 405, but empties the list.': () =>
      combine<Right>([
        deletesWithoutIndex(-1),
        ({ holdsPosition, removeRule }) => ({
          holdsPosition: (rules, position) => position === -1 || holdsPosition(rules, position),
          removeRule: (rules, position) => (position === -1 ? [] : removeRule(rules, position)),
        }),
        responds(to(/^DELETE \/api\/rules$/), withStatus(405)),
      ]),
  }),
  ...rows(['plugin.method.not-allowed', 'plugin.method.rule'], {
    'method.patch-returns-501 PATCH returns 501.': responds(to('PATCH '), withStatus(501)),
    'method.not-allowed-returns-400 A method that is not allowed returns 400.': rejects(400),
  }),
  ...rows('plugin.list.unrequested-change', comparesByPrefix, {
    'method.delete-compared-by-prefix A method that begins with DELETE is DELETE: DELETEX.': 'DELETE',
    'method.post-compared-by-prefix A method that begins with POST is POST: POSTX.': 'POST',
  }),
  ...rows('plugin.list.unrequested-change', {
    'method.override-header-accepted X-HTTP-Method-Override replaces the method of any request, where the path serves that one.':
      instead('methodsOf', ({ methodsOf, known }, name) => {
        const methods = methodsOf(name)
        const operation = methods.get(`${known.headers['x-http-method-override']}`)
        return operation === undefined ? methods : new Map(METHODS.map((method) => [method, operation]))
      }),
  }),
  ...rows(['plugin.method.not-allowed', 'plugin.list.unrequested-change'], {
    'method.put-adds PUT /api/rules adds a rule.': alsoServes('rules', 'PUT', 'add-rule'),
  }),
  ...rows('plugin.method.rule', {
    'method.rule-unknown-for-get GET of a rule returns 404.': ({ methodNotAllowed, invalidIndex, methodsOf }) => ({
      methodNotAllowed: (allow) => (allow.length === methodsOf('rule').size ? invalidIndex() : methodNotAllowed(allow)),
    }),
  }),
  ...rows(['plugin.method.rule', 'plugin.list.unrequested-change'], {
    'method.put-removes-the-rule PUT of a rule removes it.': alsoServes('rule', 'PUT', 'remove-rule'),
    'method.post-to-rule-adds POST to the path of a rule adds a rule.': alsoServes('rule', 'POST', 'add-rule'),
  }),
  ...rows('plugin.method.allow', {
    'method.allow-missing A 405 response has no Allow header.': rejects(405),
    'method.allow-missing-for-a-rule A 405 response for the path of a rule has no Allow header.': () =>
      instead('methodNotAllowed', ({ methodNotAllowed, methodsOf }, allow) =>
        allow.length === methodsOf('rule').size
          ? new ErrorResponse(405, methodNotAllowed(allow).message)
          : methodNotAllowed(allow),
      ),
    'method.allow-first-method-only Allow has only the first method.': rejects(405, ([first = '']) => first),
    'method.allow-without-commas Spaces separate the methods in Allow.': rejects(405, (allow) => allow.join(' ')),
    'method.allow-same-for-every-path Allow is GET, POST on every path, including the path of a rule.': () =>
      rejects(405, () => 'GET, POST'),
    'method.allow-lists-every-method Allow lists every method that the server knows, on every path.': () =>
      rejects(405, () => METHODS.join(', ')),
  }),
]
