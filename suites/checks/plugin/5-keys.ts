import { expectErrorResponse, expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { after, OutOfScope } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import {
  expectAccepted,
  expectKeyNeeded,
  expectNothingChanged,
  type OperationName,
  reads,
  succeed,
  unauthenticated,
  withoutKey,
  writes,
} from '../../session/operations.ts'
import type { PluginRequest } from '../../session/plugin.ts'
import { asHttp10, expectRejectedOrClosed, get, lastOne, rawRequest } from '../../session/raw-request.ts'
import type { Session } from '../../session/session.ts'
import { bearerHeader, isBearerToken, wrongKeys } from '../../session/wrong-keys.ts'
import { judgingResponses, reading, writing } from './scopes.ts'

const accepted = (names: readonly OperationName[]) => (session: Session) =>
  expectAccepted(session, names, { as: 'x-api-key' })

const acceptedAsBearer = (names: readonly OperationName[]) => (session: Session) =>
  expectAccepted(session, names, { key: null, headers: bearerHeader(session.key) })

/** Members that only a shown rule has, and a list that is not empty. */
const ruleMembers = /"(master|follower|direction)"\s*:|"rules"\s*:\s*\[(?!\s*\])/

/** A single number may be in an error text by chance, but not both logins of a rule as whole numbers. */
function expectNoRuleShown(response: HttpResponse, list: readonly Rule[]): void {
  const numbers = new Set(response.text.match(/\d+/g))
  const shown = list.some(({ master, follower }) => numbers.has(`${master}`) && numbers.has(`${follower}`))
  expectThat(!shown && !ruleMembers.test(response.text), 'response.shows-rules', { difference: null, response })
}

/** GET without the key in forms of HTTP (RFC 9112, sections 2.3 and 3.2.2) that a server may handle in another place. */
async function expectKeyNeededInAnyForm(session: Session): Promise<void> {
  const { address } = session
  const get = (prefix: string) => rawRequest({ ...address, prefix }, ['GET', '/api/rules'], [...lastOne, '', ''])
  const forms = {
    'the URL as the target': get(`${address.origin}${address.prefix}`),
    'HTTP/1.0': asHttp10(get(address.prefix)),
  }
  for (const [what, bytes] of Object.entries(forms)) {
    await after(`GET with ${what} without the key`, () => expectRejectedOrClosed(session, bytes))
  }
}

/** A shorter key may be in a text by chance. */
const minJudgedLength = 4

function expectWithoutKey({ key }: Session, responses: readonly HttpResponse[]): void {
  if (key.length < minJudgedLength) throw new OutOfScope('the key is so short that any text may contain it')
  for (const response of responses) {
    const everything = JSON.stringify(response.headers) + response.text
    const spellings = [key, base64(key), encodeURIComponent(key)]
    expectThat(!spellings.some((text) => everything.includes(text)), 'response.shows-key', {
      difference: response.status,
      response,
    })
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const queryNames = ['api_key', 'key', 'apikey', 'X-API-Key', 'token', 'access_token']

const queryWith = (key: string) => `?${queryNames.map((name) => `${name}=${encodeURIComponent(key)}`).join('&')}`

/** Other places in which a server may look for the key. */
const elsewhere: Readonly<Record<string, (key: string) => Pick<PluginRequest, 'spell' | 'headers'>>> = {
  'the query string': (key) => ({ spell: (path) => `${path}${queryWith(key)}` }),
  'a cookie': (key) => ({ headers: { Cookie: `api_key=${key}; X-API-Key=${key}` } }),
  'an undocumented header': (key) => ({ headers: { 'Api-Key': key, 'X-Api-Token': key, 'Proxy-X-API-Key': key } }),
  'the value of another header': (key) => ({ headers: { 'X-Note': `X-API-Key: ${key}` } }),
  'Authorization without a scheme': (key) => ({ headers: { Authorization: key } }),
  'Authorization: Basic': (key) => ({ headers: { Authorization: `Basic ${key}` } }),
  'user name and password': (key) => ({ headers: { Authorization: `Basic ${base64(`${key}:${key}`)}` } }),
  'Authorization: Token': (key) => ({ headers: { Authorization: `Token ${key}` } }),
  'Authorization: Bearer without a space': (key) => ({ headers: { Authorization: `Bearer${key}` } }),
}

/** Clause 5: the correct key is accepted in either header; any other is rejected, and no response shows the key. */
export const keyChecks: readonly Check[] = [
  ...checks(reading, 'plugin.auth.x-api-key', {
    'CT-701 GET requests succeed with the key in X-API-Key': accepted(reads),
  }),
  ...checks(judgingResponses, 'plugin.auth.x-api-key', {
    'CT-702 POST and DELETE with the key in X-API-Key add and remove a rule': accepted(writes),
  }),
  ...checks(reading, 'plugin.auth.bearer', {
    'CT-703 GET requests succeed with the key in Authorization: Bearer': acceptedAsBearer(reads),
  }),
  ...checks(judgingResponses, 'plugin.auth.bearer', {
    'CT-704 POST and DELETE with the key in Authorization: Bearer add and remove a rule': acceptedAsBearer(writes),
  }),
  ...checks(reading, 'plugin.auth.both-headers', {
    'CT-705 GET /api/status with the correct key in both headers returns 200': async ({ plugin, key }) => {
      expectStatus(await plugin.status({ headers: bearerHeader(key) }), 200)
    },
  }),
  ...checks(reading, 'plugin.auth.header-name-case', {
    'CT-706 GET /api/status accepts the names of both key headers in any case': async ({ plugin, key }) => {
      const sent = [
        ...['x-aPI-kEY', 'x-api-key', 'X-API-KEY'].map((name) => ({ [name]: key })),
        ...['aUTHORIZATION', 'authorization', 'AUTHORIZATION'].map((name) => ({
          [name]: bearerHeader(key).Authorization,
        })),
      ]
      for (const headers of sent) {
        await after(`the name ${Object.keys(headers)[0]}`, async () =>
          expectStatus(await plugin.status({ key: null, headers }), 200),
        )
      }
    },
  }),
  ...checks(judgingResponses, 'plugin.auth.both-headers', {
    'CT-707 GET, POST and DELETE of rules succeed with the correct key in both headers': (session) =>
      expectAccepted(session, ['list', ...writes], { headers: bearerHeader(session.key) }),
  }),
  ...checks(reading, 'plugin.auth.reads-need-key', {
    'CT-711 GET and HEAD without the key, with any headers and spelling of the path, are rejected and disclose no rule':
      async (session) => {
        for (const name of reads) await expectKeyNeeded(session, name, unauthenticated)
        for (const path of ['/api/status', '/api/rules']) {
          const response = await session.plugin.send({ method: 'HEAD', path, ...withoutKey })
          await after(`HEAD ${path} without the key`, async () => expectErrorResponse(response))
        }
        await expectKeyNeededInAnyForm(session)
        expectNoRuleShown(await session.plugin.list(withoutKey), await session.rules.read())
      },
  }),
  ...checks(writing, 'plugin.auth.changes-need-key', {
    'CT-713 POST and DELETE of rules without the key, with any headers and any spelling of the path, change nothing':
      async (session) => {
        for (const name of writes) await expectKeyNeeded(session, name, unauthenticated)
      },
  }),
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
      for (const name of writes) await expectNothingChanged(session, name, [prefix])
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
  ...checks(judgingResponses, 'plugin.auth.key-not-repeated', {
    'CT-752 No response to a POST, PUT or DELETE contains the key, whether the request succeeds or fails': async (
      session,
    ) => {
      const { plugin, rules, key } = session
      expectWithoutKey(session, [
        await plugin.addText('{'),
        await plugin.add({ ...rules.draft(), mode: 'lots' }),
        await plugin.remove(999_999),
        await plugin.send({ method: 'PUT', path: '/api/status' }),
        await plugin.send({ method: 'PUT', path: '/api/rules' }),
        await plugin.send({ method: 'PUT', path: '/api/rules/999999' }),
        await plugin.add(rules.draft(), { key: `${key}x` }),
        await succeed(session, 'add'),
      ])
    },
  }),
  ...checks(reading, 'plugin.auth.only-the-headers', {
    'CT-731 GET /api/status with the key only in another place than the two headers is rejected': async (session) => {
      for (const [where, place] of Object.entries(elsewhere)) {
        const response = await session.plugin.status({ ...withoutKey, ...place(session.key) })
        await after(`the key in ${where}`, async () => expectErrorResponse(response))
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
