import type { Method } from '../client/client.ts'
import type { Draft, Rule } from '../model/rule.ts'
import type { PluginRequest } from './plugin.ts'
import { requestsToReject } from './rejected-requests.ts'
import type { Session, SharedExchange } from './session.ts'

/** What the check header says of a check that uses `writesToReject`. */
export const sharesWrites = { shares: 'writes to reject' } as const

/**
 * Writes that must be rejected and requests that ask for no change. A foreign server gets them once, and its list is
 * read after each.
 */
export function writesToReject(session: Session, readsList = !session.owned): AsyncIterable<SharedExchange> {
  return sendOnce(session, sharesWrites.shares, readsList, async ({ arrange, draft }) => {
    const [, rule] = await arrange(2)
    return [...requestsToReject(rule, draft), ...noOpRequests(rule, draft)]
  })
}

/** Sends requests, unless another check has sent them to this server. */
export async function* sendOnce(
  session: Session,
  what: string,
  readsList: boolean,
  requests: (rules: Session['rules']) => Promise<readonly PluginRequest[]>,
): AsyncGenerator<SharedExchange> {
  const { plugin, rules, known } = session
  const found = known.find(what)
  if (found !== null) return yield* found
  const sent: SharedExchange[] = []
  const all = await requests(rules)
  let lists = readsList ? [await plugin.list()] : []
  for (const request of all) {
    const response = await plugin.send(request)
    if (readsList) lists = [...lists.slice(-1), await plugin.list()]
    sent.push({ request, response, lists })
    yield { request, response, lists }
  }
  known.store(what, sent)
}

/** The normalised path: a server may treat paths with the same result as equal. */
function canonical(path: string): string {
  const [beforeQuery = ''] = path.split('?')
  const decode = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  const spelled = beforeQuery.toLowerCase().replace(/%([0-9a-f]{2})/g, decode)
  return spelled.replace(/\/+/g, '/').replace(/\/$/, '')
}

/** Whether method and path belong to an operation that changes the list. Other requests must change nothing. */
export function mayChangeList({ method, path }: { readonly method: string; readonly path: string }): boolean {
  const known = canonical(path)
  if (method === 'POST') return known === '/api/rules'
  return method === 'DELETE' && known.startsWith('/api/rules/')
}

const methods: readonly Method[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Requests that ask for no change. `DELETE /api/rules` is excluded, since a server may delete all rules for it. */
function noOpRequests(rule: Rule, draft: () => Draft): readonly PluginRequest[] {
  const ofRule = `/api/rules/${rule.index}`
  const paths = ['/api/status', '/api/rules', ofRule, `/api/rule/${rule.index}`, `${ofRule}/x`, '/rules', '/api']
  const everywhere = paths.flatMap((path) => methods.map((method): PluginRequest => ({ method, path })))
  const asked = everywhere.filter((request) => !mayChangeList(request) || request.path === `${ofRule}/x`)
  const plain = asked.filter(({ method, path }) => !(method === 'DELETE' && path === '/api/rules'))
  return [
    ...plain.map((request): PluginRequest => {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(request.method)
      return hasBody ? { ...request, body: JSON.stringify(draft()) } : request
    }),
    { method: 'PUT', path: ofRule },
    ...methodOverrides(ofRule),
    ...pathOverrides(ofRule, draft),
  ]
}

/** Frameworks can be configured to take the method from these places. */
function methodOverrides(path: string): readonly PluginRequest[] {
  const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
  const headers = Object.fromEntries(names.map((name) => [name, 'DELETE']))
  const form = { body: '_method=DELETE', contentType: 'application/x-www-form-urlencoded' }
  return [
    { method: 'GET', path, headers },
    { method: 'POST', path, headers, body: '{}' },
    { method: 'GET', path: `${path}?_method=DELETE` },
    { method: 'POST', path: `${path}?_method=DELETE`, body: '{}' },
    { method: 'POST', path, ...form },
  ]
}

/** Gateways and frameworks can take the path from these headers. */
function pathOverrides(ofRule: string, draft: () => Draft): readonly PluginRequest[] {
  const headersFor = (path: string) => ({ 'X-Original-URL': path, 'X-Rewrite-URL': path })
  return [
    { method: 'DELETE', path: '/api/unknown', headers: headersFor(ofRule) },
    { method: 'POST', path: '/api/unknown', headers: headersFor('/api/rules'), body: JSON.stringify(draft()) },
  ]
}

export function describeRequest({ method, path, key, as }: PluginRequest): string {
  const sent = key === undefined ? '' : key === null ? ' without a key' : ` with a wrong key${as ? ' as Bearer' : ''}`
  return `${method} ${path}${sent}`
}
