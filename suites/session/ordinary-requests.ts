import type { Exchange } from '../client/exchange.ts'

/**
 * Whether a request is one that any conforming server serves: one of the documented operations with
 * the right key, and nothing about it that the specification leaves open. A DELETE is not among them,
 * since its index may be that of no rule.
 */
export function isOrdinary({ request }: Exchange): boolean {
  if (!hasOrdinaryHeaders(request.headers)) return false
  const { pathname, search } = new URL(request.url)
  if (search !== '') return false
  if (request.method === 'GET') return request.body === null && /\/api\/(status|rules)$/.test(pathname)
  return request.method === 'POST' && pathname.endsWith('/api/rules') && isOrdinaryRule(request.body)
}

function hasOrdinaryHeaders(headers: Exchange['request']['headers']): boolean {
  const isOwn = ([name, value]: readonly [string, string]) => {
    const known = name.toLowerCase()
    // The right key is redacted as a whole.
    if (known === 'x-api-key') return value === '[redacted]'
    return known === 'content-type' && value === 'application/json'
  }
  return headers.every(isOwn) && headers.some(([name]) => name.toLowerCase() === 'x-api-key')
}

function isOrdinaryRule(body: string | null): boolean {
  const { master, follower, mode, value, direction, ...others } = membersIn(body)
  return (
    Object.keys(others).length === 0 &&
    [master, follower].every(isOrdinaryLogin) &&
    master !== follower &&
    ['mult', 'multiplier', 'fixed'].includes(mode as string) &&
    typeof value === 'number' &&
    value >= 0.01 &&
    value <= 1000 &&
    ['same', 'reverse'].includes(direction as string)
  )
}

function isOrdinaryLogin(login: unknown): boolean {
  return Number.isInteger(login) && (login as number) > 0 && (login as number) < 2 ** 31
}

function membersIn(body: string | null): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body ?? '')
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
