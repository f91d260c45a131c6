import type { Defect } from './defect.ts'

/** A server that is disabled and serves some requests nevertheless. */
const listensThough = { listensWhenDisabled: true, acceptsWhenDisabled: true } as const

/** Clause 5: a server whose API_Key is empty or missing. */
export const disabledDefects: readonly Defect[] = [
  {
    id: 'disabled.empty-key-matches',
    breaks: ['plugin.auth.disabled', 'plugin.auth.disabled-by-default'],
    summary: 'Without an API_Key, an empty key is accepted.',
    override: () => ({
      ...listensThough,
      rejectWhenDisabled: () => undefined,
      acceptsCredentials: (given, isRight) => isRight(given.apiKey ?? given.bearer ?? ''),
      sameKey: (given, key) => given === key,
    }),
  },
  {
    id: 'disabled.any-key-matches',
    breaks: ['plugin.auth.disabled', 'plugin.auth.disabled-by-default'],
    summary: 'With an empty API_Key, zero letters of a key are compared.',
    override: ({ sameKey }) => ({
      ...listensThough,
      rejectWhenDisabled: () => undefined,
      sameKey: (given, key) => key === '' || sameKey(given, key),
    }),
  },
  {
    id: 'disabled.status-still-answers',
    breaks: ['plugin.auth.disabled', 'plugin.auth.disabled-by-default'],
    summary: 'While the API is disabled, the status is still returned.',
    override: () => ({
      ...listensThough,
      rejectWhenDisabled: () => undefined,
      asksForKey: ({ path }) => path !== '/api/status',
    }),
  },
  {
    id: 'disabled.open-by-default',
    breaks: ['plugin.auth.disabled-by-default'],
    summary: 'An empty API_Key disables the API, but a missing parameter leaves it open without a key.',
    override: ({ findCopies, rejectWhenDisabled, asksForKey }) => {
      let isSet = true
      return {
        ...listensThough,
        findCopies: (parameters) => {
          isSet = 'API_Key' in parameters
          return findCopies(parameters)
        },
        rejectWhenDisabled: () => (isSet ? rejectWhenDisabled() : undefined),
        asksForKey: (request) => isSet && asksForKey(request),
      }
    },
  },
]
