import { idAndTitle, type Observation } from '../../../session/check.ts'
import { lastOne, rawRequest } from '../../../session/raw-request.ts'
import { ownServer } from '../scopes.ts'
import { answerFor, answerIn, observeHeader, observeStatus } from './observe.ts'

const wrongKey = 'not-the-key'

/** GET of the status with the correct key in this header, and another value in the other. Default: a wrong key. */
export const twoKeys = (correct: 'x-api-key' | 'authorization', other?: string) => (key: string) => {
  const headers =
    correct === 'x-api-key'
      ? { 'X-API-Key': key, Authorization: other ?? `Bearer ${wrongKey}` }
      : { 'X-API-Key': other ?? wrongKey, Authorization: `Bearer ${key}` }
  return { method: 'GET', path: '/api/status', key: null, headers } as const
}

/** Questions about the key that need more than one request. */
export const keyObservations: readonly Observation[] = [
  {
    ...idAndTitle('CQ-104 GET /api/status with two different keys shows which header counts'),
    question: 'plugin.auth.two-headers',
    risk: 'read',
    async run({ plugin, key }) {
      const first = (await observeStatus(plugin.send(twoKeys('x-api-key')(key)))) === 200
      const second = (await observeStatus(plugin.send(twoKeys('authorization')(key)))) === 200
      const answer = first ? (second ? 'either' : 'x-api-key') : second ? 'authorization' : 'both'
      return { answer, seen: '' }
    },
  },
  {
    ...idAndTitle('CQ-109 GET /api/status with such a key in X-API-Key shows which characters API_Key may have'),
    question: 'plugin.auth.key-characters',
    risk: 'write',
    needs: ['restart', 'parameters'],
    async run({ prepare, newKey }) {
      const server = await prepare({ apiKey: `!#$%&*|^${newKey()}`, list: 'any' })
      await server.tryStart()
      const answers = { 200: 'accepted', '4xx': 'refused', closed: 'refused' }
      return answerFor(await observeStatus(server.plugin.status()), answers)
    },
  },
  {
    ...idAndTitle('CQ-107 GET /api/status without a key shows whether a 401 has a WWW-Authenticate header'),
    question: 'plugin.auth.challenge',
    risk: 'read',
    async run({ plugin }) {
      const response = await plugin.status({ key: null })
      if (response.status !== 401) return { answer: null, seen: `status ${response.status}` }
      return observeHeader(response, 'www-authenticate')
    },
  },
  {
    ...idAndTitle('CQ-108 GET /api/status on a server with an empty API_Key shows how the disabled API responds'),
    question: 'plugin.disabled.wire',
    ...ownServer,
    async run({ prepare }) {
      const server = await prepare({ apiKey: '' })
      await server.tryStart()
      const bytes = rawRequest(server.address, ['GET', '/api/status'], [...lastOne, '', ''])
      const seen = await server.raw({ bytes, responses: 1 })
      if (seen.end === 'closed' && seen.responses.length === 0 && (await server.refusesConnections())) {
        return { answer: 'refused', seen: 'the connection is refused' }
      }
      return answerIn(seen, { closed: 'dropped', 401: '401', 403: '403', 404: '404', 503: '503' })
    },
  },
]
