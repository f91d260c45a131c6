import { expectErrorResponse, expectStatus, expectThat } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { type Check, checks } from '../../session/check.ts'
import { expectNothingChanged, succeed, writes } from '../../session/operations.ts'
import { get } from '../../session/raw-request.ts'
import type { Session } from '../../session/session.ts'
import { isBearerToken, wrongKeys } from '../../session/wrong-keys.ts'
import { judgingResponses, reading, writing } from './scopes.ts'

/** Responses to reads. */
async function readResponses(session: Session): Promise<readonly HttpResponse[]> {
  const { plugin, key } = session
  return [
    await succeed(session, 'status'),
    await succeed(session, 'list'),
    await plugin.status({ key: null, headers: { Authorization: key } }),
    await plugin.status({ key: `${key}x` }),
    await plugin.send({ method: 'GET', path: '/api/none', as: 'bearer' }),
  ]
}

/** Responses to changes and to what is rejected. */
async function writeResponses(session: Session): Promise<readonly HttpResponse[]> {
  const { plugin, rules, key } = session
  return [
    await plugin.send({ method: 'POST', path: '/api/rules', body: '{' }),
    await plugin.add({ ...rules.draft(), mode: 'lots' }),
    await plugin.remove(999_999),
    await plugin.send({ method: 'PUT', path: '/api/status' }),
    await plugin.send({ method: 'PUT', path: '/api/rules' }),
    await plugin.send({ method: 'PUT', path: '/api/rules/999999' }),
    await plugin.add(rules.draft(), { key: `${key}x` }),
    await succeed(session, 'add'),
  ]
}

/** A shorter key may occur in a text by chance. */
const shortestJudged = 4

/** A NUL and more after the key. That the bytes are malformed is an answer too. */
async function expectNulRejected(session: Session): Promise<void> {
  const bytes = get({ ...session, key: `${session.key}\0x` }, '/api/status')
  const [response] = (await session.raw({ bytes, responses: 1 })).responses
  if (response === undefined) return
  expectErrorResponse(response)
}

/** Clause 5: an almost correct key or an empty one is rejected, and no response shows the key. */
export const wrongKeyChecks: readonly Check[] = [
  ...checks(reading, 'plugin.auth.whole-key', {
    'CT-721 GET /api/status rejects a truncated, extended or altered key in either header with 401': async (
      session,
    ) => {
      const { plugin, key } = session
      await expectNulRejected(session)
      for (const wrong of wrongKeys(key)) {
        expectStatus(await plugin.status({ key: wrong }), 401)
        if (isBearerToken(wrong)) expectStatus(await plugin.status({ key: wrong, as: 'bearer' }), 401)
      }
    },
  }),
  ...checks(writing, 'plugin.auth.whole-key', {
    'CT-724 GET, POST and DELETE of rules reject an almost correct key with 401 and change nothing': async (
      session,
    ) => {
      const beginning = { key: session.key.slice(0, -1) }
      expectStatus(await session.plugin.list(beginning), 401)
      for (const name of writes) await expectNothingChanged(session, name, [beginning])
    },
  }),
  ...checks(reading, 'plugin.auth.key-not-repeated', {
    'CT-751 No response to a GET contains the key, whether the request succeeds or fails': async (session) =>
      expectWithoutKey(session, await readResponses(session)),
  }),
  ...checks(judgingResponses, 'plugin.auth.key-not-repeated', {
    'CT-752 No response to a POST, PUT or DELETE contains the key, whether the request succeeds or fails': async (
      session,
    ) => expectWithoutKey(session, await writeResponses(session)),
  }),
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
