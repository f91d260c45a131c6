import { expectStatus, expectThat } from '../../assertions/expect.ts'
import { type HttpResponse, NoResponse } from '../../client/response.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

function disabledChecks(): readonly Check[] {
  const disabled = [
    { id: 'CT-743', requirement: 'plugin.auth.disabled', apiKey: '', state: 'empty' },
    { id: 'CT-744', requirement: 'plugin.auth.disabled-by-default', apiKey: null, state: 'not set' },
  ] as const
  return disabled.map(({ id, requirement, apiKey, state }) => ({
    id,
    requirement,
    title: `Every operation fails with any key, an empty key or no key when API_Key is ${state}`,
    risk: 'write' as const,
    needs: ['launch'] as const,
    async run({ prepare }: Session) {
      const server = await prepare({ apiKey })
      if (!(await server.tryStart())) return
      const draft = server.rules.draft()
      for (const headers of [
        {},
        { 'X-API-Key': '' },
        { Authorization: 'Bearer ' },
        { 'X-API-Key': 'any' },
        { Authorization: 'Bearer any' },
      ]) {
        const variation = { key: null, headers }
        for (const request of [
          () => server.plugin.status(variation),
          () => server.plugin.list(variation),
          () => server.plugin.add(draft, variation),
          () => server.plugin.remove(0, variation),
        ]) {
          const status = await statusOrSilence(request)
          expectThat(status === null || status >= 400, 'request.accepted-while-disabled', {
            actual: status,
            difference: status,
          })
        }
      }
    },
  }))
}

/** The status, or null without a response, which is a valid reaction of a disabled API. */
async function statusOrSilence(request: () => Promise<HttpResponse>): Promise<number | null> {
  try {
    return (await request()).status
  } catch (error) {
    if (error instanceof NoResponse) return null
    throw error
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
    title: 'GET /api/status accepts a key with all punctuation that HTTP allows, in either header',
    risk: 'write',
    needs: ['restart', 'parameters'],
    async run({ launch, newKey }) {
      const server = await launch({ apiKey: `a1-._~+/!#$%&*|^=${newKey()}`, list: 'any' })
      expectStatus(await server.plugin.status(), 200)
      expectStatus(await server.plugin.status({ as: 'bearer' }), 200)
    },
  },
  ...disabledChecks(),
]
