import { expect } from 'vitest'
import type { platformPathQuestions } from '../../../spec/platform/questions/paths-and-methods.ts'
import type { Sent } from '../../testing/client.ts'
import type { PlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask } from '../testing/client.ts'

const status = (sent: Sent) => async (simulator: PlatformSimulator) => (await ask(simulator, sent)).status

const redirection = (sent: Sent) => async (simulator: PlatformSimulator) => {
  const { status, headers } = await ask(simulator, sent)
  return [status, headers.location]
}

const demonstrations: Demonstrations<typeof platformPathQuestions> = {
  'platform.errors.unknown-path': { show: status({ path: '/v1/nowhere' }), shows: { '404': 404, '400': 400 } },
  'platform.method.account': {
    show: status({ method: 'POST', body: '{}' }),
    shows: { '405': 405, '404': 404, '400': 400 },
  },
  'platform.method.head': { show: status({ method: 'HEAD' }), shows: { allowed: 200, '405': 405, '404': 404 } },
  'platform.method.options': {
    show: async (simulator) => {
      const { status, headers, text } = await ask(simulator, { method: 'OPTIONS' })
      return [status, headers.allow, text.includes('"error"')]
    },
    shows: {
      '405': [405, 'GET, HEAD', true],
      '404': [404, undefined, true],
      '204': [204, 'GET, HEAD, OPTIONS', false],
      '200': [200, 'GET, HEAD, OPTIONS', false],
    },
  },
  'platform.path.without-version': {
    show: redirection({ path: '/account' }),
    shows: { unknown: [404, undefined], answered: [200, undefined], redirected: [308, '/v1/account'] },
  },
  'platform.path.trailing-slash': {
    show: redirection({ path: '/v1/account/' }),
    shows: { unknown: [404, undefined], ignored: [200, undefined], redirected: [308, '/v1/account'] },
  },
  'platform.path.double-slash': {
    show: redirection({ path: '/v1//account' }),
    shows: { unknown: [404, undefined], ignored: [200, undefined], redirected: [308, '/v1/account'] },
  },
  'platform.path.case': { show: status({ path: '/V1/Account' }), shows: { sensitive: 404, insensitive: 200 } },
  'platform.path.query': { show: status({ path: '/v1/account?x=1' }), shows: { ignored: 200, '400': 400 } },
  'platform.limits.headers': {
    // A fixed clock, since the count would be reset at the end of a minute.
    given: { now: () => 1_800_000_000_000 },
    show: async (simulator) => {
      await ask(simulator)
      const { headers } = await ask(simulator)
      return [headers['x-ratelimit-remaining'], headers['ratelimit-remaining']]
    },
    shows: { absent: [undefined, undefined], 'x-ratelimit': ['99998', undefined], ratelimit: [undefined, '99998'] },
  },
  'platform.headers.request-id': {
    show: async (simulator) => (await ask(simulator)).headers['x-request-id'],
    shows: { absent: undefined, sent: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  },
}

demonstrate(demonstrations)
