import type { accountQuestions } from '../../../spec/platform/questions/account.ts'
import type { PlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask, bearer } from '../testing/client.ts'

async function member(simulator: PlatformSimulator, name: string) {
  return ((await ask(simulator)).json as { data: Record<string, string> }).data[name]
}

const demonstrations: Demonstrations<typeof accountQuestions> = {
  'platform.account.status-value': {
    show: (simulator) => member(simulator, 'status'),
    shows: { active: 'active', other: 'suspended' },
  },
  'platform.account.created-at-precision': {
    show: (simulator) => member(simulator, 'created_at'),
    shows: {
      seconds: '2025-03-04T09:30:15Z',
      milliseconds: '2025-03-04T09:30:15.250Z',
      microseconds: '2025-03-04T09:30:15.250000Z',
    },
  },
  'platform.account.created-at-zone': {
    show: (simulator) => member(simulator, 'created_at'),
    shows: { z: '2025-03-04T09:30:15Z', offset: '2025-03-04T09:30:15+00:00' },
  },
  'platform.account.further-members': {
    show: async (simulator) => Object.keys(((await ask(simulator)).json as { data: object }).data).length,
    shows: { none: 4, more: 6 },
  },
  'platform.account.content-type-absent': {
    show: async (simulator) => (await ask(simulator, { headers: bearer })).status,
    shows: { accepted: 200, '400': 400, '415': 415 },
  },
}

demonstrate(demonstrations)
