import { expect } from 'vitest'
import type { platformAuthenticationQuestions } from '../../../spec/platform/questions/authentication.ts'
import type { Sent } from '../../testing/client.ts'
import type { PlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask, pair, post, withType } from '../testing/client.ts'

const status = (sent: Sent) => async (simulator: PlatformSimulator) => (await ask(simulator, sent)).status

const demonstrations: Demonstrations<typeof platformAuthenticationQuestions> = {
  'platform.errors.missing-key': { show: status({ headers: withType }), shows: { '401': 401, '403': 403 } },
  'platform.errors.wrong-key': {
    show: status({ headers: { ...withType, Authorization: 'Bearer bk_test_wrong' } }),
    shows: { '401': 401, '403': 403 },
  },
  'platform.errors.form': {
    show: async (simulator) => {
      const { headers, json } = await ask(simulator, { headers: withType })
      return [headers['content-type']?.split(';')[0], json]
    },
    shows: {
      coded: [
        'application/json',
        { error: { code: 'invalid_api_key', message: expect.any(String), doc_url: expect.stringMatching(/^https:/) } },
      ],
      text: ['application/json', { error: 'The API key is missing.' }],
      message: ['application/json', { message: 'The API key is missing.' }],
      problem: ['application/problem+json', expect.objectContaining({ status: 401 })],
      'no-json': ['text/plain', undefined],
    },
  },
  'platform.auth.challenge': {
    show: async (simulator) => (await ask(simulator, { headers: withType })).headers['www-authenticate'],
    shows: { sent: 'Bearer', absent: undefined },
  },
  'platform.auth.before-path': {
    show: status({ path: '/v1/no-such-path', headers: withType }),
    shows: { before: 401, after: 404 },
  },
  'platform.auth.before-method': {
    show: status({ method: 'POST', body: '{}', headers: withType }),
    shows: { before: 401, after: 405 },
  },
  'platform.auth.before-body': {
    show: async (simulator) => (await post(simulator, '{', { headers: withType })).status,
    shows: { before: 401, after: 400 },
  },
  'platform.auth.bearer-case': {
    show: status({ headers: { ...withType, Authorization: `bearer ${pair.apiKey}` } }),
    shows: { accepted: 200, refused: 401 },
  },
  'platform.auth.bearer-spaces': {
    show: status({ headers: { ...withType, Authorization: `Bearer  ${pair.apiKey}` } }),
    shows: { accepted: 200, refused: 401 },
  },
  'platform.auth.x-api-key': {
    show: status({ headers: { ...withType, 'X-API-Key': pair.apiKey } }),
    shows: { refused: 401, accepted: 200 },
  },
  'platform.auth.secret-as-bearer': {
    show: status({ headers: { ...withType, Authorization: `Bearer ${pair.apiSecret}` } }),
    shows: { refused: 401, accepted: 200 },
  },
}

demonstrate(demonstrations)
