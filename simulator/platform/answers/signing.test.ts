import type { signingQuestions } from '../../../spec/platform/questions/signing.ts'
import type { PlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask, create, documented, signed, terms } from '../testing/client.ts'

const status = async (simulator: PlatformSimulator, headers: Readonly<Record<string, string>>, path = '/v1/account') =>
  (await ask(simulator, { path, headers: { ...documented, ...headers } })).status

const wrong = { 'X-Platform-Signature': '0'.repeat(64) }
const tenMinutes = 600
const seconds = () => Math.floor(Date.now() / 1000)

const demonstrations: Demonstrations<typeof signingQuestions> = {
  'platform.signing.check': {
    show: async (simulator) => [
      await status(simulator, signed()),
      await status(simulator, {}),
      await status(simulator, { ...signed(), ...wrong }),
    ],
    shows: { accepted: [200, 200, 401], required: [200, 401, 401], off: [200, 200, 200] },
  },
  'platform.signing.status': {
    show: (simulator) => status(simulator, { ...signed(), ...wrong }),
    shows: { '401': 401, '403': 403 },
  },
  'platform.signing.stale': {
    show: (simulator) => status(simulator, signed({ timestamp: seconds() - tenMinutes })),
    shows: { refused: 401, accepted: 200 },
  },
  'platform.signing.future': {
    show: (simulator) => status(simulator, signed({ timestamp: seconds() + tenMinutes })),
    shows: { refused: 401, accepted: 200 },
  },
  'platform.signing.replayed': {
    show: async (simulator) => {
      const signature = signed({ method: 'POST', path: '/v1/trading-accounts', body: JSON.stringify(terms) })
      const sent = { headers: { ...documented, ...signature } }
      return [(await create(simulator, {}, sent)).status, (await create(simulator, {}, sent)).status]
    },
    shows: { accepted: [201, 201], refused: [201, 401] },
  },
  'platform.signing.without-timestamp': {
    show: (simulator) => status(simulator, { 'X-Platform-Signature': signed()['X-Platform-Signature'] }),
    shows: { refused: 401, accepted: 200 },
  },
  'platform.signing.upper-case': {
    show: (simulator) => {
      const headers = signed()
      const signature = headers['X-Platform-Signature'].toUpperCase()
      return status(simulator, { ...headers, 'X-Platform-Signature': signature })
    },
    shows: { refused: 401, accepted: 200 },
  },
  'platform.signing.covers-query': {
    show: async (simulator) => [
      await status(simulator, signed({ path: '/v1/account?x=1' }), '/v1/account?x=1'),
      await status(simulator, signed(), '/v1/account?x=1'),
    ],
    shows: { included: [200, 401], excluded: [401, 200] },
  },
}

demonstrate(demonstrations)
