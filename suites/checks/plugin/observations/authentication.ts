import type { Observation, ObservedAnswer } from '../../../session/check.ts'
import type { Session } from '../../../session/session.ts'
import { answerFor, look, lookAt } from './look.ts'

const wrongKey = 'not-the-key'

/** Accepted or not, for each of the two headers carrying the right key and the other a wrong one. */
async function lookAtTwoKeys({ plugin, key }: Session): Promise<ObservedAnswer> {
  const rightIn = async (right: 'x-api-key' | 'authorization') =>
    (await look(() =>
      plugin.status({
        key: null,
        headers: {
          'X-API-Key': right === 'x-api-key' ? key : wrongKey,
          Authorization: `Bearer ${right === 'authorization' ? key : wrongKey}`,
        },
      }),
    )) === 200
  const first = await rightIn('x-api-key')
  const second = await rightIn('authorization')
  const answer = first ? (second ? 'either' : 'x-api-key') : second ? 'authorization' : 'both'
  return { answer, seen: '' }
}

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
  {
    id: 'CQ-105',
    question: 'plugin.auth.bearer-case',
    title: 'GET /api/status with a lower-case bearer scheme shows whether that spelling is accepted',
    risk: 'read',
    run: (session) =>
      lookAt(
        session,
        { path: '/api/status', key: null, headers: { Authorization: `bearer ${session.key}` } },
        { 200: 'accepted', 401: 'refused' },
      ),
  },
  {
    id: 'CQ-106',
    question: 'plugin.auth.bearer-spaces',
    title: 'GET /api/status with two spaces after Bearer shows whether extra spaces are accepted',
    risk: 'read',
    run: (session) =>
      lookAt(
        session,
        { path: '/api/status', key: null, headers: { Authorization: `Bearer  ${session.key}` } },
        { 200: 'accepted', 401: 'refused' },
      ),
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
    risk: 'write',
    needs: ['launch'],
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
