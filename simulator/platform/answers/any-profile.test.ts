import { type Arbitrary, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { expect, test } from 'vitest'
import { platformQuestions } from '../../../spec/platform/questions.ts'
import { createPlatformSimulator, type PlatformProfile } from '../index.ts'
import { ask, create, documented, pair, post, signed, terms, withType } from '../testing/client.ts'

/** Any combination of answers. */
const anyProfile = record(
  Object.fromEntries(platformQuestions.map(({ id, answers }) => [id, constantFrom(...Object.keys(answers))])),
) as unknown as Arbitrary<PlatformProfile>

const body = JSON.stringify(terms)

test('under any profile the documented operations follow the specification', async () => {
  await assert(
    asyncProperty(anyProfile, async (profile) => {
      await using simulator = createPlatformSimulator({ keyPair: pair, profile })
      await simulator.start()
      const account = await ask(simulator, { headers: { ...documented, ...signed() } })
      expect(account).toMatchObject({
        status: 200,
        json: { data: { id: expect.stringMatching(/^acct_\d+$/), created_at: expect.stringMatching(/(Z|\+00:00)$/) } },
      })
      const signature = signed({ method: 'POST', path: '/v1/trading-accounts', body })
      const { status } = await create(simulator, {}, { headers: { ...documented, ...signature } })
      expect(`${status}`).toMatch(/^2/)
      expect(simulator.accounts).toMatchObject([terms])
      for (const refused of [
        await ask(simulator, { headers: withType }),
        await ask(simulator, { headers: { ...withType, Authorization: 'Bearer bk_test_wrong' } }),
        await post(simulator, '{', { headers: { ...documented, ...signed({ method: 'POST', path: '/v1/x' }) } }),
        await post(simulator, body, { headers: withType }),
      ]) {
        expect(`${refused.status}`).toMatch(/^4/)
      }
      await simulator.restart()
      expect(simulator.accounts).toMatchObject([terms])
    }),
    { numRuns: 40 },
  )
})
