import type { Method } from '../client/request.ts'
import type { Draft, Rule } from '../model/rule.ts'
import type { PluginRequest } from './plugin.ts'

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
export function noOpRequests(rule: Rule, draft: () => Draft): readonly PluginRequest[] {
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
