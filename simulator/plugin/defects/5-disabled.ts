import type { Defect } from './defect.ts'

/** A server that is disabled and serves some requests nevertheless. */
const listensThough = {
  listensWhenDisabled: true,
  acceptsWhenDisabled: true,
  rejectWhenDisabled: () => undefined,
} as const

/** Clause 5: a server whose API_Key is empty or missing. */
export const disabledDefects: readonly Defect[] = [
  {
    id: 'disabled.empty-key-matches',
    breaks: ['plugin.auth.disabled'],
    summary: 'Without an API_Key an empty key is accepted.',
    override: () => ({
      ...listensThough,
      acceptsCredentials: (given, isRight) => isRight(given.apiKey ?? given.bearer ?? ''),
      sameKey: (given, key) => given === key,
    }),
  },
  {
    id: 'disabled.empty-x-api-key-matches',
    breaks: ['plugin.auth.disabled'],
    summary: 'Without an API_Key the header X-API-Key is accepted if it is sent empty.',
    override: () => ({
      ...listensThough,
      readApiKeyHeader: (headers) => headers['x-api-key']?.toString(),
      sameKey: (given, key) => given === key,
    }),
  },
  {
    id: 'disabled.any-key-matches',
    breaks: ['plugin.auth.disabled'],
    summary: 'With an empty API_Key any key is accepted.',
    override: ({ sameKey }) => ({
      ...listensThough,
      sameKey: (given, key) => key === '' || sameKey(given, key),
    }),
  },
  {
    id: 'disabled.status-still-answers',
    breaks: ['plugin.auth.disabled'],
    summary: 'GET /api/status responds while the API is disabled.',
    override: () => ({
      ...listensThough,
      asksForKey: ({ path }) => path !== '/api/status',
    }),
  },
  {
    id: 'disabled.changes-still-work',
    breaks: ['plugin.auth.disabled'],
    summary: 'POST and DELETE need no key while the API is disabled.',
    override: () => ({
      ...listensThough,
      asksForKey: ({ method }) => method === 'GET',
    }),
  },
  {
    id: 'disabled.open-by-default',
    breaks: ['plugin.auth.disabled'],
    summary: 'A missing API_Key does not disable the API; then no key is required.',
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
