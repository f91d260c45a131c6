import { type Defect, rows } from './defect.ts'

/** A server that is disabled and serves some requests nevertheless. */
export const listensThough = {
  listensWhenDisabled: true,
  acceptsWhenDisabled: true,
  rejectWhenDisabled: () => undefined,
} as const

/** Clause 5: a server whose API_Key is empty or missing. */
export const disabledDefects: readonly Defect[] = rows('plugin.auth.disabled', {
  'disabled.empty-key-matches': [
    'Without an API_Key an empty key is accepted.',
    () => ({
      ...listensThough,
      acceptsCredentials: (given, isRight) => isRight(given.apiKey ?? given.bearer ?? ''),
      sameKey: (given, key) => given === key,
    }),
  ],
  'disabled.empty-x-api-key-matches': [
    'Without an API_Key the header X-API-Key is accepted if it is sent empty.',
    () => ({
      ...listensThough,
      readApiKeyHeader: (headers) => headers['x-api-key']?.toString(),
      sameKey: (given, key) => given === key,
    }),
  ],
  'disabled.any-key-matches': [
    'With an empty API_Key any key is accepted.',
    ({ sameKey }) => ({ ...listensThough, sameKey: (given, key) => key === '' || sameKey(given, key) }),
  ],
  'disabled.status-still-answers': [
    'GET /api/status responds while the API is disabled.',
    () => ({ ...listensThough, asksForKey: ({ path }) => path !== '/api/status' }),
  ],
  'disabled.changes-still-work': [
    'POST and DELETE need no key while the API is disabled.',
    () => ({ ...listensThough, asksForKey: ({ method }) => method === 'GET' }),
  ],
  'disabled.open-by-default': [
    'A missing API_Key does not disable the API; then no key is required.',
    ({ findCopies, rejectWhenDisabled, asksForKey }) => {
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
  ],
})
