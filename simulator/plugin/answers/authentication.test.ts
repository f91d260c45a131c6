import type { authenticationQuestions } from '../../../spec/plugin/questions/authentication.ts'
import type { Simulator } from '../../index.ts'
import { key, post, send, sendRaw, statusOf, withKey } from '../../testing/client.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'

const withoutKey = {}

async function bothHeaders(simulator: Simulator) {
  const right = { 'X-API-Key': key, 'Authorization': `Bearer ${key}` }
  const statuses = []
  const wrongOnes = [{ Authorization: 'Bearer wrong' }, { 'X-API-Key': 'wrong' }, {}, { 'X-API-Key': '' }]
  for (const wrong of [...wrongOnes, { Authorization: '' }]) {
    statuses.push((await send(simulator, { headers: { ...right, ...wrong } })).status)
  }
  return statuses
}

demonstrate({
  'plugin.auth.before-path': {
    show: async (simulator) => [
      (await send(simulator, { path: '/nowhere', headers: withoutKey })).status,
      (await send(simulator, { method: 'DELETE', path: '/api/rules/abc', headers: withoutKey })).status,
      (await send(simulator, { method: 'DELETE', path: '/api/rules/0', headers: withoutKey })).status,
    ],
    shows: { before: [401, 401, 401], after: [404, 404, 401] },
  },
  'plugin.auth.before-method': {
    show: async (simulator) => (await send(simulator, { method: 'PUT', headers: withoutKey })).status,
    shows: { before: 401, after: 405 },
  },
  'plugin.auth.before-body': {
    show: async (simulator) => (await post(simulator, '{', { headers: withoutKey })).status,
    shows: { before: 401, after: 400 },
  },
  'plugin.auth.two-headers': {
    // With only X-API-Key correct, with only Authorization correct, with both correct, with one
    // of them and the other header empty.
    show: bothHeaders,
    shows: {
      'either': [200, 200, 200, 200, 200],
      'x-api-key': [200, 401, 200, 200, 200],
      'authorization': [401, 200, 200, 200, 200],
      'both': [401, 401, 200, 401, 401],
    },
  },
  'plugin.auth.bearer-case': {
    show: async (simulator) => (await send(simulator, { headers: { Authorization: `bearer ${key}` } })).status,
    shows: { accepted: 200, refused: 401 },
  },
  'plugin.auth.bearer-spaces': {
    show: async (simulator) => (await send(simulator, { headers: { Authorization: `Bearer  ${key}` } })).status,
    shows: { accepted: 200, refused: 401 },
  },
  'plugin.auth.key-characters': {
    given: { apiKey: 'a!b' },
    show: async (simulator) => (await send(simulator, { headers: { 'X-API-Key': 'a!b' } })).status,
    shows: { accepted: 200, refused: 401 },
  },
  'plugin.auth.challenge': {
    show: async (simulator) => (await send(simulator, { headers: withoutKey })).headers['www-authenticate'],
    shows: { sent: 'Bearer', absent: undefined },
  },
  'plugin.disabled.wire': {
    given: { apiKey: '' },
    show: async (simulator) => {
      try {
        const { status, text } = await send(simulator, { headers: withKey })
        return [status, Object.keys(JSON.parse(text))]
      } catch (error) {
        if (error instanceof Error && error.name === 'NotListeningError') return 'not listening'
        return statusOf(await sendRaw(simulator, 'GET /api/status HTTP/1.1\r\nHost: a\r\n\r\n'))
      }
    },
    shows: {
      'refused': 'not listening',
      'dropped': 'closed',
      '401': [401, ['error']],
      '403': [403, ['error']],
      '404': [404, ['error']],
      '503': [503, ['error']],
    },
  },
} satisfies Demonstrations<typeof authenticationQuestions>)
