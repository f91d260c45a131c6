import type { IncomingMessage } from 'node:http'
import type { Json } from '../../server/response.ts'
import type { Defect } from './defect.ts'

type Applies = (status: number, request: IncomingMessage) => boolean

/** A rule that no client has sent. */
const uninvited = { master: 7001n, follower: 7002n, mode: 'mult', value: 1, direction: 'same' } as const

/** A server that changes its list after the responses for which `applies` holds: `times` counts them. */
function changesListAfter(
  applies: Applies,
  change: (rules: readonly Json[], times: number) => readonly Json[],
): Defect['override'] {
  return (hooks) => {
    let times = 0
    return {
      finish: (response, request) => {
        if (applies(response.status, request)) times += 1
        return hooks.finish(response, request)
      },
      writtenList: (_, write) => write(),
      listBody: (rules) => hooks.listBody(change(rules, times)),
    }
  }
}

function removesAfter(applies: Applies): Defect['override'] {
  return changesListAfter(applies, (rules, times) => rules.slice(0, Math.max(0, rules.length - times)))
}

function addsAfter(applies: Applies): Defect['override'] {
  return (hooks) => {
    const ghosts = (from: number, times: number) =>
      Array.from({ length: times }, (_, at) => hooks.ruleBody(uninvited, hooks.indexOf(from + at)))
    return changesListAfter(applies, (rules, times) => [...rules, ...ghosts(rules.length, times)])(hooks)
  }
}

const asksFor =
  (method: string, path: RegExp, wanted: (status: number) => boolean): Applies =>
  (status, request) =>
    request.method === method && path.test(request.url ?? '') && wanted(status)

const is = (expected: number) => (status: number) => status === expected
const ofRule = /^\/api\/rules\/\d+$/
const ofList = /^\/api\/rules$/

/** What else judges that such a request changes nothing. */
const alsoBroken: Readonly<Record<string, Defect['breaks']>> = {
  'unrequested.404-of-delete-removes-the-last': ['plugin.delete.index-past-end'],
  'unrequested.404-below-rule-removes': ['plugin.path.unknown'],
  'unrequested.404-of-unknown-path-adds': ['plugin.path.unknown'],
}

/** Clauses 4.2 and 7: servers that refuse a request, and do something all the same. */
export const unrequestedDefects: readonly Defect[] = [
  {
    id: 'unrequested.get-of-rule-removes',
    summary: 'GET of a rule returns 405, but removes a rule.',
    override: removesAfter(asksFor('GET', ofRule, () => true)),
  },
  {
    id: 'unrequested.options-of-rule-removes',
    summary: 'OPTIONS of a rule removes a rule.',
    override: removesAfter(asksFor('OPTIONS', ofRule, () => true)),
  },
  {
    id: 'unrequested.head-of-rule-removes',
    summary: 'HEAD of a rule is served like DELETE.',
    override: removesAfter(asksFor('HEAD', ofRule, () => true)),
  },
  {
    id: 'unrequested.post-to-rule-is-405-and-adds',
    summary: 'POST to the path of a rule returns 405, but adds a rule.',
    override: addsAfter(asksFor('POST', ofRule, is(405))),
  },
  {
    id: 'unrequested.put-to-list-is-405-and-adds',
    summary: 'PUT /api/rules returns 405, but adds a rule.',
    override: addsAfter(asksFor('PUT', ofList, is(405))),
  },
  {
    id: 'unrequested.401-of-post-adds',
    summary: 'POST with a wrong key returns 401, but adds a rule.',
    override: addsAfter(asksFor('POST', ofList, is(401))),
  },
  {
    id: 'unrequested.401-of-delete-removes',
    summary: 'DELETE with a wrong key returns 401, but removes a rule.',
    override: removesAfter(asksFor('DELETE', ofRule, is(401))),
  },
  {
    id: 'unrequested.400-of-post-adds',
    summary: 'POST with a body that is not valid returns 400, but adds a rule.',
    override: addsAfter(asksFor('POST', ofList, is(400))),
  },
  {
    id: 'unrequested.400-of-post-changes-values',
    summary: 'POST with a body that is not valid returns 400, but changes the value of every rule.',
    override: changesListAfter(asksFor('POST', ofList, is(400)), (rules, times) =>
      times === 0 ? rules : rules.map((rule) => ({ ...(rule as object), value: 9 + times })),
    ),
  },
  {
    id: 'unrequested.404-of-delete-removes-the-last',
    summary: 'DELETE with an index past the end returns 404, but removes the last rule.',
    override: removesAfter(asksFor('DELETE', ofRule, is(404))),
  },
  {
    id: 'unrequested.404-below-rule-removes',
    summary: 'DELETE of a path below a rule returns 404, but removes a rule.',
    override: removesAfter(asksFor('DELETE', /^\/api\/rules\/\d+\/./, is(404))),
  },
  {
    id: 'unrequested.404-of-unknown-path-adds',
    summary: 'POST to an unknown path returns 404, but adds a rule.',
    override: addsAfter(asksFor('POST', /^\/(?!api\/rules|api\/status)/, () => true)),
  },
  {
    id: 'unrequested.method-override-removes',
    summary: 'POST to the path of a rule with X-HTTP-Method-Override: DELETE removes a rule.',
    override: removesAfter(
      (_, { method, headers }) => method === 'POST' && headers['x-http-method-override'] === 'DELETE',
    ),
  },
  {
    id: 'unrequested.method-in-query-removes',
    summary: 'POST to the path of a rule with _method=DELETE in the query string removes a rule.',
    override: removesAfter(asksFor('POST', /_method=DELETE/, () => true)),
  },
  {
    id: 'unrequested.path-in-header-removes',
    summary: 'DELETE of an unknown path removes the rule that X-Original-URL names.',
    override: removesAfter((_, { method, headers }) => method === 'DELETE' && headers['x-original-url'] !== undefined),
  },
].map((defect): Defect => ({ ...defect, breaks: ['plugin.list.unrequested-change', ...(alsoBroken[defect.id] ?? [])] }))
