import type { Request } from '../client/client.ts'

/** What a request has in common with others, as text. */
export interface RequestKind {
  /** Method and path, such as `DELETE /api/rules/{index}`. */
  readonly operation: string
  /** The operation with each property that a server may handle differently, the first one being the most important. */
  readonly variants: readonly string[]
}

type Sent = Pick<Request, 'method' | 'path' | 'headers'> & { readonly body: string | null }

const documentedPaths = ['/api/status', '/api/rules', '/v1/account', '/v1/trading-accounts']

export function kindOfRequest({ body, ...request }: Request, key: string): RequestKind {
  return kindOf({ ...request, body: body?.toString('utf8') ?? null }, key)
}

/** The kind of the first request in raw bytes. */
export function kindOfBytes(text: string, key: string): RequestKind {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? []
  if (method === undefined || path === undefined) return { operation: 'malformed HTTP', variants: [] }
  const headers = Object.fromEntries(fields.map((field) => field.split(/: ?/, 2)))
  // A body in chunks is not decoded.
  const body = 'Content-Length' in headers ? rest.join('\r\n\r\n').slice(0, Number(headers['Content-Length'])) : null
  return kindOf({ method: method as Request['method'], path, headers, body }, key)
}

function kindOf({ method, path, headers, body }: Sent, key: string): RequestKind {
  const [address = ''] = path.split('?', 1)
  const [, segment] = /\/api\/rules\/([^/]+)$/.exec(address) ?? []
  const known = segment === undefined ? documentedPaths.find((one) => address.endsWith(one)) : '/api/rules/{index}'
  const operation = `${method} ${known ?? 'of another path'}`
  const properties = [
    [!Object.values(headers).some((value) => value === key || value === `Bearer ${key}`), 'without the right key'],
    [path.includes('?'), 'with a query'],
    [segment !== undefined && !/^\d+$/.test(segment), 'with an index that is no integer'],
    [operation === 'POST /api/rules' && body !== null && !isRule(body), 'with an invalid body'],
    [method !== 'POST' && body !== null && body !== '', 'with a body'],
  ] as const
  return { operation, variants: properties.flatMap(([is, text]) => (is ? `${operation} ${text}` : [])) }
}

function isRule(body: string): boolean {
  try {
    const { master, follower, mode, value, direction } = JSON.parse(body) as Record<string, unknown>
    const isLogin = (login: unknown) => Number.isInteger(login)
    const isWord = (word: unknown, words: readonly string[]) => words.includes(word as string)
    return (
      isLogin(master) &&
      isLogin(follower) &&
      isWord(mode, ['mult', 'multiplier', 'fixed']) &&
      Number(value) > 0 &&
      isWord(direction, ['same', 'reverse'])
    )
  } catch {
    return false
  }
}
