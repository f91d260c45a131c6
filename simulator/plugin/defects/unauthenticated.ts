import type { IncomingMessage } from 'node:http'
import type { Hooks } from '../hooks/hooks.ts'
import type { Asked } from './overrides.ts'

/** Serves these requests without the right key too, and knows afterwards which of them lacked it. */
export function servingUnauthenticated(
  { asksForKey, readApiKeyHeader, acceptsCredentials }: Hooks,
  serves: (asked: Asked) => boolean,
) {
  const unauthenticated = new WeakSet<object>()
  let current: { readonly isServed: boolean; readonly headers: object } = { isServed: false, headers: {} }
  return {
    asksForKey: (asked: Asked) => {
      current = { isServed: serves(asked), headers: {} }
      return asksForKey(asked)
    },
    readApiKeyHeader: (headers: IncomingMessage['headers']) => {
      current = { ...current, headers }
      return readApiKeyHeader(headers)
    },
    acceptsCredentials: (...given: Parameters<typeof acceptsCredentials>) => {
      const isRight = acceptsCredentials(...given)
      if (!isRight && current.isServed) unauthenticated.add(current.headers)
      return isRight || current.isServed
    },
    isUnauthenticated: ({ headers }: IncomingMessage) => unauthenticated.has(headers),
  }
}
