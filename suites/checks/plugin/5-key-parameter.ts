import { expectStatus, expectThat } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'
import { look } from './observations/look.ts'
import { ownServer } from './scopes.ts'

const credentials = [
  {},
  { 'X-API-Key': '' },
  { Authorization: 'Bearer ' },
  { 'X-API-Key': 'any' },
  { Authorization: 'Bearer any' },
]

/** No operation succeeds with any of these headers. */
export async function expectDisabled(
  { plugin, rules }: Pick<Session, 'plugin' | 'rules'>,
  headers: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  const draft = rules.draft()
  for (const given of headers) {
    const variation = { key: null, headers: given }
    for (const request of [
      () => plugin.status(variation),
      () => plugin.list(variation),
      () => plugin.add(draft, variation),
      () => plugin.remove(0, variation),
    ]) {
      // A disabled API may close the connection.
      const status = await look(request)
      expectThat(status === 'closed' || status >= 400, 'request.accepted-while-disabled', {
        actual: status,
        difference: status,
      })
    }
  }
}

const disabledChecks = (
  [
    { id: 'CT-743', requirement: 'plugin.auth.disabled', apiKey: '', state: 'empty' },
    { id: 'CT-744', requirement: 'plugin.auth.disabled', apiKey: null, state: 'not set' },
  ] as const
).map(
  ({ id, requirement, apiKey, state }): Check => ({
    id,
    requirement,
    title: `Every operation fails with any key, an empty key or no key when API_Key is ${state}`,
    ...ownServer,
    async run({ prepare }) {
      const server = await prepare({ apiKey })
      if (!(await server.tryStart())) return
      await expectDisabled(server, credentials)
    },
  }),
)

/** Clause 5: the key comes from the parameter API_Key; an empty one disables the API. */
export const keyParameterChecks: readonly Check[] = [
  {
    id: 'CT-741',
    requirement: 'plugin.auth.key-from-parameter',
    title: 'After API_Key changes and the server restarts, the new key works and the old key returns 401',
    risk: 'write',
    needs: ['restart', 'parameters'],
    async run({ launch, newKey }) {
      const [first, second] = [newKey(), newKey()]
      const server = await launch({ apiKey: first, list: 'any' })
      expectStatus(await server.plugin.status(), 200)
      await server.stop()
      await server.configure({ apiKey: second })
      await server.start()
      expectStatus(await server.withKey(second).status(), 200)
      expectStatus(await server.plugin.status(), 401)
    },
  },
  {
    id: 'CT-742',
    requirement: 'plugin.auth.key-from-parameter',
    title: 'GET /api/status accepts a key with all punctuation that a Bearer token can have, in either header',
    risk: 'write',
    needs: ['restart', 'parameters'],
    async run({ launch, newKey }) {
      const server = await launch({ apiKey: `a1-._~+/${newKey()}=`, list: 'any' })
      expectStatus(await server.plugin.status(), 200)
      expectStatus(await server.plugin.status({ as: 'bearer' }), 200)
    },
  },
  ...disabledChecks,
]
