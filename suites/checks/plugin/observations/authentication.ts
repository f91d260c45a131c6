import type { Observation, ObservedAnswer } from '../../../session/check.ts'
import type { Session } from '../../../session/session.ts'
import { ownServer } from '../scopes.ts'
import { answerFor, look, lookAt } from './look.ts'

const wrongKey = 'not-the-key'

/** Sends the correct key in each of the two headers, with a wrong key in the other. */
async function lookAtTwoKeys({ plugin, key }: Session): Promise<ObservedAnswer> {
  const acceptsIn = async (correct: 'x-api-key' | 'authorization') =>
    (await look(() =>
      plugin.status({
        key: null,
        headers: {
          'X-API-Key': correct === 'x-api-key' ? key : wrongKey,
          Authorization: `Bearer ${correct === 'authorization' ? key : wrongKey}`,
        },
      }),
    )) === 200
  const first = await acceptsIn('x-api-key')
  const second = await acceptsIn('authorization')
  const answer = first ? (second ? 'either' : 'x-api-key') : second ? 'authorization' : 'both'
  return { answer, seen: '' }
}

const bearerObservations = [
  { id: 'CQ-105', point: 'case', scheme: 'bearer ', what: 'a lower-case bearer scheme shows whether that spelling is' },
  { id: 'CQ-106', point: 'spaces', scheme: 'Bearer  ', what: 'two spaces after Bearer shows whether extra spaces are' },
].map(
  ({ id, point, scheme, what }): Observation => ({
    id,
    question: `plugin.auth.bearer-${point}`,
    title: `GET /api/status with ${what} accepted`,
    risk: 'read',
    run(session) {
      const headers = { Authorization: scheme + session.key }
      return lookAt(session, { path: '/api/status', key: null, headers }, { 200: 'accepted', 401: 'refused' })
    },
  }),
)

/** Questions about the key. */
export const authenticationObservations: readonly Observation[] = [
  {
    id: 'CQ-101',
    question: 'plugin.auth.before-path',
    title: 'GET of an unknown path without a key shows whether the key is checked before the path',
    risk: 'read',
    run: (session) => lookAt(session, { path: '/api/unknown', key: null }, { 401: 'before', 404: 'after' }),
  },
  {
    id: 'CQ-102',
    question: 'plugin.auth.before-method',
    title: 'PUT /api/status without a key shows whether the key is checked before the method',
    risk: 'write',
    run: (session) =>
      lookAt(session, { method: 'PUT', path: '/api/status', key: null }, { 401: 'before', 405: 'after' }),
  },
  {
    id: 'CQ-103',
    question: 'plugin.auth.before-body',
    title: 'POST with invalid JSON and without a key shows whether the key is checked before the body',
    risk: 'write',
    run: (session) =>
      lookAt(
        session,
        { method: 'POST', path: '/api/rules', body: '{"master":', key: null },
        { 401: 'before', 400: 'after' },
      ),
  },
  {
    id: 'CQ-104',
    question: 'plugin.auth.two-headers',
    title: 'GET /api/status with two different keys shows which header counts',
    risk: 'read',
    run: lookAtTwoKeys,
  },
  ...bearerObservations,
  {
    id: 'CQ-109',
    question: 'plugin.auth.key-characters',
    title: 'GET /api/status with such a key in X-API-Key shows which characters API_Key may have',
    risk: 'write',
    needs: ['restart', 'parameters'],
    async run({ prepare, newKey }) {
      const server = await prepare({ apiKey: `!#$%&*|^${newKey()}`, list: 'any' })
      await server.tryStart()
      return answerFor(await look(() => server.plugin.status()), {
        200: 'accepted',
        '4xx': 'refused',
        closed: 'refused',
      })
    },
  },
  {
    id: 'CQ-107',
    question: 'plugin.auth.challenge',
    title: 'GET /api/status without a key shows whether a 401 has a WWW-Authenticate header',
    risk: 'read',
    async run({ plugin }) {
      const { status, headers } = await plugin.status({ key: null })
      if (status !== 401) return { answer: null, seen: `status ${status}` }
      const challenge = headers['www-authenticate']
      return { answer: challenge === undefined ? 'absent' : 'sent', seen: challenge ?? '' }
    },
  },
  {
    id: 'CQ-108',
    question: 'plugin.disabled.wire',
    title: 'GET /api/status on a server with an empty API_Key shows how the disabled API responds',
    ...ownServer,
    async run({ prepare }) {
      const server = await prepare({ apiKey: '' })
      await server.tryStart()
      const seen = await look(() => server.plugin.status({ key: null }))
      if (seen === 'closed' && (await server.refusesConnections())) {
        return { answer: 'refused', seen: 'the connection is refused' }
      }
      return answerFor(seen, { closed: 'dropped', 401: '401', 403: '403', 404: '404', 503: '503' })
    },
  },
]
