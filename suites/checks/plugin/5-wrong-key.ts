import { expectErrorResponse, expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { after, NotApplicable, OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { expectNothingChanged, succeed, withoutKey, writes } from '../../session/operations.ts'
import { type PluginRequest, toJson } from '../../session/plugin.ts'
import { expectRejectedOrClosed, get, post } from '../../session/raw-request.ts'
import { arranged } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { additionAndRemoval, sendChanges } from '../../session/shared-requests.ts'
import { isBearerToken, wrongKeys } from '../../session/wrong-keys.ts'
import { checks, judgingResponses, ownServer, reading, serverChecks, writing } from './scopes.ts'

/** A shorter key may be in a text by chance. */
const minJudgedLength = 4
const documented = `plugin version license_active rules_loaded api_port rules total index master follower mode value direction
  success error mult fixed same reverse true false application/json`

function expectWithoutKey({ key }: Session, responses: readonly HttpResponse[]): void {
  if (key.length < minJudgedLength) throw new OutOfScope('the key is so short that any text may contain it')
  if (documented.includes(key)) throw new NotApplicable('the key is in a documented name or word')
  const spellings = [key, JSON.stringify(key).slice(1, -1), base64(key), encodeURIComponent(key)]
  for (const response of responses) {
    const parts = [response.reason, ...Object.entries(response.headers).flat(), response.text]
    const isShown = parts.some((part) => spellings.some((text) => part.includes(text)))
    expectThat(!isShown, 'response.shows-key', { difference: response.status, response })
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const queryNames = ['api_key', 'key', 'apikey', 'X-API-Key', 'token', 'access_token']

const queryWith = (key: string) => `?${queryNames.map((name) => `${name}=${encodeURIComponent(key)}`).join('&')}`

type Place = readonly [where: string, sent: Pick<PluginRequest, 'spell' | 'headers'>]

const inHeader = (where: string, name: string, value: string): Place => [where, { headers: { [name]: value } }]

/** Other places in which a server may look for the key. */
const elsewhere = (key: string): readonly Place[] => [
  ['the query string', { spell: (path) => `${path}${queryWith(key)}` }],
  inHeader('a cookie', 'Cookie', `api_key=${key}; X-API-Key=${key}`),
  ...['Api-Key', 'X-Api-Token', 'X-Auth-Token', 'X-API-Key-Old', 'Proxy-X-API-Key'].map((name) =>
    inHeader(`the header ${name}`, name, key),
  ),
  inHeader('the header Proxy-Authorization', 'Proxy-Authorization', `Bearer ${key}`),
  inHeader('the value of another header', 'X-Note', `X-API-Key: ${key}`),
  inHeader('Authorization without a scheme', 'Authorization', key),
  inHeader('Authorization: Basic', 'Authorization', `Basic ${key}`),
  inHeader('user name and password', 'Authorization', `Basic ${base64(`${key}:${key}`)}`),
  inHeader('Authorization: Token', 'Authorization', `Token ${key}`),
  inHeader('Authorization: Digest', 'Authorization', `Digest ${key}`),
  inHeader('Authorization: BearerToken', 'Authorization', `BearerToken ${key}`),
  inHeader('Authorization: Bearer:', 'Authorization', `Bearer:${key}`),
  inHeader('a second word after Bearer', 'Authorization', `Bearer x ${key}`),
  inHeader('Authorization: Bearer without a space', 'Authorization', `Bearer${key}`),
]

/** Clause 5: a key that is almost correct, empty or elsewhere is rejected, and no response shows the key. */
export const wrongKeyChecks = [
  ...checks(reading, 'plugin.auth.whole-key', {
    'CT-721 GET /api/status rejects a truncated, extended or altered key in either header with 401': async (
      session,
    ) => {
      const { plugin, key } = session
      // The key followed by NUL and more. The server may also reject the bytes as malformed.
      await expectRejectedOrClosed(session, get({ ...session, key: `${key}\0x` }, '/api/status'))
      for (const wrong of [...wrongKeys(key), `Bearer ${key}`]) {
        expectStatus(await plugin.status({ key: wrong }), 401)
        if (isBearerToken(wrong)) expectStatus(await plugin.status({ key: wrong, as: 'bearer' }), 401)
      }
    },
  }),
  ...checks(writing, 'plugin.auth.whole-key', {
    'CT-724 GET, POST and DELETE of rules reject an almost correct key with 401 and change nothing': async (
      session,
    ) => {
      const prefix = { key: session.key.slice(0, -1) }
      expectStatus(await session.plugin.list(prefix), 401)
      const [rule] = await session.rules.arrange(1)
      for (const name of writes) await expectNothingChanged(session, name, [prefix], rule)
    },
  }),
  ...serverChecks(ownServer, 'plugin.auth.changes-need-key', {
    'CT-748 POST with a wrong key is rejected although another client sends the key before its body is complete':
      async (server) => {
        const { raw, rules, plugin, key } = server
        const before = await rules.read()
        const bytes = post({ ...server, key: `${key}x` }, toJson(rules.draft()))
        const sent = raw({ bytes, responses: 1, splitAt: [bytes.indexOf('"mode"')], pauseMs: 100 })
        await arranged(async () => {
          for (let count = 0; count < 10; count += 1) expectStatus(await plugin.status(), 200)
        })
        const [response] = (await sent).responses
        // The server may close the connection before it has read the body.
        if (response !== undefined) expectStatus(response, 401)
        expectUnchanged(await rules.read(), before)
      },
  }),
  ...checks(reading, 'plugin.auth.key-not-repeated', {
    'CT-751 No response to a GET contains the key, whether the request succeeds or fails': async (session) => {
      const { plugin, key } = session
      expectWithoutKey(session, [
        await succeed(session, 'status'),
        await succeed(session, 'list'),
        await plugin.status({ key: null, headers: { Authorization: key } }),
        await plugin.status({ key: `${key}x` }),
        await plugin.send({ method: 'GET', path: '/api/none', as: isBearerToken(key) ? 'bearer' : 'x-api-key' }),
      ])
    },
  }),
  ...checks({ ...judgingResponses, shares: additionAndRemoval.shares }, 'plugin.auth.key-not-repeated', {
    'CT-752 No response to a POST, PUT or DELETE contains the key, whether the request succeeds or fails': async (
      session,
    ) => {
      const { plugin, rules, key } = session
      const successes: HttpResponse[] = []
      for await (const { response } of sendChanges(session, additionAndRemoval)) successes.push(response)
      expectWithoutKey(session, [
        ...successes,
        await plugin.addText('{'),
        await plugin.add({ ...rules.draft(), mode: 'lots' }),
        await plugin.remove(999_999),
        await plugin.send({ method: 'PUT', path: '/api/status' }),
        await plugin.send({ method: 'PUT', path: '/api/rules' }),
        await plugin.send({ method: 'PUT', path: '/api/rules/999999' }),
        await plugin.add(rules.draft(), { key: `${key}x` }),
      ])
    },
  }),
  ...checks(reading, 'plugin.auth.only-the-headers', {
    'CT-731 GET /api/status with the key only in another place than the two headers is rejected': async (session) => {
      for (const [where, sent] of elsewhere(session.key)) {
        const response = await session.plugin.status({ ...withoutKey, ...sent })
        await after(`the key in ${where}`, () => expectErrorResponse(response))
      }
    },
  }),
  ...checks(writing, 'plugin.auth.only-the-headers', {
    'CT-740 POST and DELETE of rules with the key only in the query string or the body fail and change nothing':
      async ({ plugin, rules, key }) => {
        const [rule] = await rules.arrange(1)
        const before = await rules.read()
        const inQuery = { ...withoutKey, spell: (path: string) => `${path}${queryWith(key)}` }
        const attempts = {
          'POST with the key in the query string': () => plugin.add(rules.draft(), inQuery),
          'DELETE with the key in the query string': () => plugin.remove(rule.index, inQuery),
          'POST with the key in the body': () =>
            plugin.add({ ...rules.draft(), api_key: key, 'X-API-Key': key, note: `X-API-Key: ${key}` }, withoutKey),
        }
        for (const [what, send] of Object.entries(attempts)) {
          await send()
          // The next request could remove what this one added.
          await after(what, async () => expectUnchanged(await rules.read(), before))
        }
      },
  }),
]
