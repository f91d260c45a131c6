import type { IncomingHttpHeaders } from 'node:http'
import type { Defect } from './defect.ts'

interface Opening {
  readonly id: string
  readonly breaks: Defect['breaks']
  readonly summary: string
  readonly methods: readonly string[]
  readonly opens: (apiKey: string | undefined, authorization: string | undefined) => boolean
}

/** A server that serves requests of these methods without the right key, for some contents of the two headers. */
function opening({ id, breaks, summary, methods, opens }: Opening): Defect {
  return {
    id,
    breaks,
    summary,
    override: ({ asksForKey, readApiKeyHeader, acceptsCredentials }) => {
      let isMeant = false
      let headers: IncomingHttpHeaders = {}
      return {
        asksForKey: (asked) => {
          isMeant = methods.includes(asked.method)
          return asksForKey(asked)
        },
        readApiKeyHeader: (received) => {
          headers = received
          return readApiKeyHeader(received)
        },
        acceptsCredentials: (given, isRight) =>
          (isMeant && opens(headers['x-api-key']?.toString(), headers.authorization)) ||
          acceptsCredentials(given, isRight),
      }
    },
  }
}

const changes = ['plugin.auth.changes-need-key'] as const
const reads = ['plugin.auth.reads-need-key'] as const

/** Clause 5: pairs of headers of which neither holds the right key. */
export const twoHeaderDefects: readonly Defect[] = (
  [
    {
      id: 'header.equal-keys-open',
      breaks: [...reads, ...changes],
      summary: 'Any key is accepted if both headers hold the same one.',
      methods: ['GET', 'POST', 'DELETE'],
      opens: (apiKey, authorization) => apiKey !== undefined && authorization === `Bearer ${apiKey}`,
    },
    {
      id: 'header.empty-key-hands-over-to-any-bearer',
      breaks: [...changes],
      summary: 'With an empty X-API-Key, POST and DELETE accept any Bearer token.',
      methods: ['POST', 'DELETE'],
      opens: (apiKey, authorization) => apiKey === '' && /^Bearer ./.test(authorization ?? ''),
    },
    {
      id: 'header.any-key-beside-bearer-alone',
      breaks: ['plugin.auth.changes-need-key'],
      summary: 'DELETE accepts any X-API-Key if Authorization is Bearer without a key.',
      methods: ['DELETE'],
      opens: (apiKey, authorization) => Boolean(apiKey) && authorization === 'Bearer',
    },
    {
      id: 'header.any-key-beside-another-scheme',
      breaks: ['plugin.auth.changes-need-key'],
      summary: 'POST accepts any X-API-Key beside Basic authentication.',
      methods: ['POST'],
      opens: (apiKey, authorization) => Boolean(apiKey) && /^Basic /.test(authorization ?? ''),
    },
    {
      id: 'header.empty-authorization-opens',
      breaks: ['plugin.auth.reads-need-key'],
      summary: 'GET requires no key if Authorization is empty.',
      methods: ['GET'],
      opens: (apiKey, authorization) => apiKey === undefined && authorization === '',
    },
  ] satisfies readonly Opening[]
).map(opening)
