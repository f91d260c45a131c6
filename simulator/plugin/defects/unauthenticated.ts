import type { IncomingMessage } from 'node:http'
import type { Hooks } from '../hooks/hooks.ts'

interface Asked {
  readonly method: string
  readonly path: string
}

/** Serves these requests without the right key too, and knows afterwards which of them lacked it. */
export function lettingStrangersIn(
  { asksForKey, readApiKeyHeader, acceptsCredentials }: Hooks,
  serves: (asked: Asked) => boolean,
) {
  const strangers = new WeakSet<object>()
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
      if (!isRight && current.isServed) strangers.add(current.headers)
      return isRight || current.isServed
    },
    isStranger: ({ headers }: IncomingMessage) => strangers.has(headers),
  }
}
