import { after } from '../../assertions/after.ts'
import { expectStatus, expectThat } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import { keyHeader } from '../../session/plugin.ts'
import type { Session } from '../../session/session.ts'
import { look } from './catalogue/look.ts'
import { ownServer } from './scopes.ts'

const credentials = [
  {},
  { 'X-API-Key': '' },
  { Authorization: 'Bearer ' },
  { 'X-API-Key': 'any' },
  { Authorization: 'Bearer any' },
]

/** No operation succeeds with any of these headers. */
async function expectDisabled(
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
  {
    id: 'CT-743',
    requirement: 'plugin.auth.disabled',
    title: 'Every operation fails with any key, an empty key or no key when API_Key is empty or missing',
    ...ownServer,
    async run({ prepare }) {
      for (const apiKey of ['', null]) {
        const server = await prepare({ apiKey })
        const what = apiKey === null ? 'a start without API_Key' : 'a start with an empty API_Key'
        if (await server.tryStart()) await after(what, () => expectDisabled(server, credentials))
      }
    },
  },
  {
    id: 'CT-745',
    requirement: 'plugin.auth.disabled',
    title: 'An earlier key stops working when API_Key is emptied and when another key is set afterwards',
    ...ownServer,
    async run({ launch, newKey }) {
      const [first, second] = [newKey(), newKey()]
      const server = await launch({ apiKey: first })
      await server.stop()
      await server.configure({ apiKey: '' })
      const earlier = [keyHeader(first), keyHeader(first, 'bearer')]
      if (await server.tryStart()) await expectDisabled(server, earlier)
      await server.stop()
      await server.configure({ apiKey: second })
      await server.start()
      expectStatus(await server.withKey(second).list(), 200)
      for (const headers of earlier) expectStatus(await server.plugin.list({ key: null, headers }), 401)
    },
  },
]
