import type { listQuestions } from '../../../spec/platform/questions/list.ts'
import type { PlatformSimulator } from '../index.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'
import { ask, create, type Listed, list, terms } from '../testing/client.ts'

const paths = ['/v1/trading-accounts', '/v1/trading-accounts/list', '/v1/accounts']

async function withTwo(simulator: PlatformSimulator, query = '') {
  await create(simulator, { name: 'first' })
  await create(simulator, { name: 'second' })
  const { json } = await ask(simulator, { path: `/v1/trading-accounts${query}` })
  return (json as { data: readonly Listed[] }).data.map(({ name }) => name)
}

const fields = Object.keys(terms).toSorted()

const demonstrations: Demonstrations<typeof listQuestions> = {
  'platform.list.path': {
    show: async (simulator) => {
      const statuses = await Promise.all(paths.map(async (path) => (await ask(simulator, { path })).status))
      return paths.filter((_, place) => statuses[place] === 200)
    },
    shows: {
      'trading-accounts': paths.slice(0, 1),
      'trading-accounts-list': paths.slice(1, 2),
      accounts: paths.slice(2),
      none: [],
    },
  },
  'platform.list.envelope': {
    show: async (simulator) => (await ask(simulator, { path: '/v1/trading-accounts' })).json,
    shows: {
      data: { data: [] },
      array: [],
      named: { trading_accounts: [] },
      nested: { data: { trading_accounts: [] } },
    },
  },
  'platform.list.order': {
    show: (simulator) => withTwo(simulator),
    shows: { 'oldest-first': ['first', 'second'], 'newest-first': ['second', 'first'] },
  },
  'platform.list.fields': {
    show: async (simulator) => {
      await create(simulator)
      return Object.keys((await list(simulator))[0] ?? {}).toSorted()
    },
    shows: {
      more: [...fields, 'id', 'created_at'].toSorted(),
      'creation-fields': fields,
      known: ['balance', 'currency', 'name'],
    },
  },
  'platform.list.limit': {
    show: (simulator) => withTwo(simulator, '?limit=1'),
    shows: { ignored: ['first', 'second'], honoured: ['first'] },
  },
}

demonstrate(demonstrations)
