import { type Applies, is, to } from '../../defect-parts/wire.ts'
import type { Json } from '../../server/response.ts'
import { unsentRule } from './4-3-file.ts'
import { type Defect, rows } from './defect.ts'
import type { Mutation } from './known.ts'

/** A server that changes its list after the responses for which `applies` holds. `times` is their number so far. */
function changesListAfter(
  applies: Applies,
  change: (rules: readonly Json[], times: number) => readonly Json[],
): Mutation {
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

function removesAfter(applies: Applies): Mutation {
  return changesListAfter(applies, (rules, times) => rules.slice(0, Math.max(0, rules.length - times)))
}

function addsAfter(applies: Applies): Mutation {
  return (hooks) => {
    const ghosts = (from: number, times: number) =>
      Array.from({ length: times }, (_, at) => hooks.ruleBody(unsentRule, hooks.indexOf(from + at)))
    return changesListAfter(applies, (rules, times) => [...rules, ...ghosts(rules.length, times)])(hooks)
  }
}

const ofRule = (method: string) => new RegExp(`^${method} /api/rules/\\d+$`)
const ofList = (method: string) => new RegExp(`^${method} /api/rules$`)

/** Clauses 4.2 and 7: servers that reject a request and change something nevertheless. */
export const unrequestedDefects: readonly Defect[] = [
  ...rows('plugin.list.unrequested-change', {
    'unrequested.get-of-rule-removes GET of a rule returns 405, but removes a rule.': removesAfter(to(ofRule('GET'))),
    'unrequested.options-of-rule-removes OPTIONS of a rule removes a rule.': removesAfter(to(ofRule('OPTIONS'))),
    'unrequested.head-of-rule-removes HEAD of a rule is served like DELETE.': removesAfter(to(ofRule('HEAD'))),
    'unrequested.post-to-rule-returns-405-and-adds POST to the path of a rule returns 405, but adds a rule.': () =>
      addsAfter(is(405, ofRule('POST'))),
    'unrequested.put-to-list-returns-405-and-adds PUT /api/rules returns 405, but adds a rule.': () =>
      addsAfter(is(405, ofList('PUT'))),
    'unrequested.401-of-post-adds POST with a wrong key returns 401, but adds a rule.': () =>
      addsAfter(is(401, ofList('POST'))),
    'unrequested.401-of-delete-removes DELETE with a wrong key returns 401, but removes a rule.': () =>
      removesAfter(is(401, ofRule('DELETE'))),
    'unrequested.400-of-post-adds POST with a body that is not valid returns 400, but adds a rule.': () =>
      addsAfter(is(400, ofList('POST'))),
    'unrequested.400-of-post-changes-values POST with a body that is not valid returns 400, but changes the value of every rule.':
      changesListAfter(is(400, ofList('POST')), (rules, times) =>
        times === 0 ? rules : rules.map((rule) => ({ ...(rule as object), value: 9 + times })),
      ),
    'unrequested.method-override-removes POST to the path of a rule with X-HTTP-Method-Override: DELETE removes a rule.':
      removesAfter((_, { method, headers }) => method === 'POST' && headers['x-http-method-override'] === 'DELETE'),
    'unrequested.method-in-query-removes POST to the path of a rule with _method=DELETE in the query string removes a rule.':
      removesAfter(to(/^POST .*_method=DELETE/)),
    'unrequested.path-in-header-removes DELETE of an unknown path removes the rule that X-Original-URL names.':
      removesAfter((_, { method, headers }) => method === 'DELETE' && headers['x-original-url'] !== undefined),
  }),
  ...rows(['plugin.list.unrequested-change', 'plugin.delete.index-past-end'], {
    'unrequested.404-of-delete-removes-the-last DELETE with an index past the end returns 404, but removes the last rule.':
      removesAfter(is(404, ofRule('DELETE'))),
  }),
  ...rows(['plugin.list.unrequested-change', 'plugin.path.unknown'], {
    'unrequested.404-below-rule-removes DELETE of a path below a rule returns 404, but removes a rule.': () =>
      removesAfter(is(404, /^DELETE \/api\/rules\/\d+\/./)),
    'unrequested.404-of-unknown-path-adds POST to an unknown path returns 404, but adds a rule.': () =>
      addsAfter(to(/^POST \/(?!api\/rules|api\/status)/)),
  }),
]
