import { expectStatus, expectThat } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Check } from '../../session/check.ts'
import { expectAccepted, expectNothingChanged, writes } from '../../session/operations.ts'
import type { Session } from '../../session/session.ts'
import { isBearerToken, wrongKeys } from '../../session/wrong-keys.ts'

/** Responses to reads. */
async function readResponses({ plugin, key }: Session): Promise<readonly HttpResponse[]> {
  return [
    await plugin.status(),
    await plugin.list(),
    await plugin.status({ key: null, headers: { Authorization: key } }),
    await plugin.status({ key: `${key}x` }),
    await plugin.send({ method: 'GET', path: '/api/none', as: 'bearer' }),
  ]
}

/** Responses to changes and to what is rejected. */
async function writeResponses({ plugin, rules, key }: Session): Promise<readonly HttpResponse[]> {
  return [
    await plugin.send({ method: 'POST', path: '/api/rules', body: '{' }),
    await plugin.add({ ...rules.draft(), mode: 'lots' }),
    await plugin.remove(999_999),
    await plugin.send({ method: 'PUT', path: '/api/status' }),
    await plugin.send({ method: 'PUT', path: '/api/rules' }),
    await plugin.send({ method: 'PUT', path: '/api/rules/999999' }),
    await plugin.add(rules.draft(), { key: `${key}x` }),
    await plugin.add(rules.draft()),
  ]
}

const wholeKeyChecks = (
  [
    { id: 'CT-721', as: 'x-api-key', what: 'key in X-API-Key' },
    { id: 'CT-722', as: 'bearer', what: 'Bearer token' },
  ] as const
).map(
  ({ id, as, what }): Check => ({
    id,
    requirement: 'plugin.auth.whole-key',
    title: `GET /api/status rejects a truncated, extended or altered ${what} with 401`,
    risk: 'read',
    async run({ plugin, key }) {
      for (const wrong of wrongKeys(key).filter((text) => as !== 'bearer' || isBearerToken(text)))
        expectStatus(await plugin.status({ key: wrong, as }), 401)
      expectStatus(await plugin.status({ as }), 200)
    },
  }),
)

/** A shorter key may occur in a text by chance. */
const shortestJudged = 4

/** Clause 5: an almost correct key or an empty one is rejected, and no response shows the key. */
export const wrongKeyChecks: readonly Check[] = [
  ...wholeKeyChecks,
  {
    id: 'CT-726',
    requirement: 'plugin.auth.reads-need-key',
    title: 'GET /api/status and GET /api/rules return 401 with a wrong key in both headers',
    risk: 'read',
    async run({ plugin }) {
      for (const bearer of ['not-the-key', 'nor-this-one']) {
        const headers = { 'X-API-Key': 'not-the-key', Authorization: `Bearer ${bearer}` }
        for (const response of [
          await plugin.list({ key: null, headers }),
          await plugin.status({ key: null, headers }),
        ]) {
          expectStatus(response, 401)
        }
      }
      expectStatus(await plugin.list(), 200)
    },
  },
  {
    id: 'CT-723',
    requirement: 'plugin.auth.whole-key',
    title: 'GET /api/status with an empty X-API-Key, Bearer token or Authorization header returns 401',
    risk: 'read',
    async run({ plugin }) {
      for (const headers of [
        { 'X-API-Key': '' },
        { Authorization: 'Bearer ' },
        { Authorization: 'Bearer' },
        { Authorization: '' },
      ]) {
        expectStatus(await plugin.status({ key: null, headers }), 401)
      }
      expectStatus(await plugin.status(), 200)
    },
  },
  {
    id: 'CT-724',
    requirement: 'plugin.auth.whole-key',
    title: 'GET, POST and DELETE of rules reject an almost correct key with 401 and change nothing',
    risk: 'write',
    async run(session) {
      for (const key of wrongKeys(session.key)) expectStatus(await session.plugin.list({ key }), 401)
      const wrong = [session.key.slice(0, -1), `${session.key}x`].map((key) => ({ key }))
      for (const name of writes) await expectNothingChanged(session, name, wrong)
      await expectAccepted(session, ['list', ...writes], {})
    },
  },
  {
    id: 'CT-725',
    requirement: 'plugin.auth.whole-key',
    title: 'GET, POST and DELETE of rules reject an empty key with 401 and change nothing',
    risk: 'write',
    async run(session) {
      const wrong = [{ 'X-API-Key': '' }, { Authorization: 'Bearer ' }].map((headers) => ({ key: null, headers }))
      for (const variation of wrong) expectStatus(await session.plugin.list(variation), 401)
      for (const name of writes) await expectNothingChanged(session, name, wrong)
      await expectAccepted(session, ['list', ...writes], {})
    },
  },
  {
    id: 'CT-751',
    requirement: 'plugin.auth.key-not-repeated',
    title: 'No response to a GET contains the key, whether the request succeeds or fails',
    risk: 'read',
    run: async (session) => expectWithoutKey(session, await readResponses(session)),
  },
  {
    id: 'CT-752',
    requirement: 'plugin.auth.key-not-repeated',
    title: 'No response to a POST, PUT or DELETE contains the key, whether the request succeeds or fails',
    risk: 'write',
    run: async (session) => expectWithoutKey(session, await writeResponses(session)),
  },
]

function expectWithoutKey({ key }: Session, responses: readonly HttpResponse[]): void {
  if (key.length < shortestJudged) throw new OutOfScope('the key is so short that any text may contain it')
  for (const response of responses) {
    const everything = JSON.stringify(response.headers) + response.text
    const spellings = [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)]
    expectThat(!spellings.some((text) => everything.includes(text)), 'response.shows-key', {
      difference: response.status,
      response,
    })
  }
}
