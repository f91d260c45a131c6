import { expectErrorResponse, expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import type { Check } from '../../session/check.ts'
import { expectAccepted, withoutKey, writes } from '../../session/operations.ts'

const elsewhere: readonly { readonly id: string; readonly where: string; readonly place: (key: string) => Place }[] = [
  {
    id: 'CT-731',
    where: 'the query string',
    place: (key) => ({
      query: `?${['api_key', 'key', 'apikey', 'X-API-Key', 'token', 'access_token'].map((name) => `${name}=${encodeURIComponent(key)}`).join('&')}`,
    }),
  },
  { id: 'CT-732', where: 'a cookie', place: (key) => ({ headers: { Cookie: `api_key=${key}; X-API-Key=${key}` } }) },
  {
    id: 'CT-733',
    where: 'an undocumented header',
    place: (key) => ({ headers: { 'Api-Key': key, 'X-Api-Token': key } }),
  },
]

interface Place {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const elsewhereChecks = elsewhere.map(
  ({ id, where, place }): Check => ({
    id,
    requirement: 'plugin.auth.only-the-headers',
    title: `GET /api/status with the key only in ${where} is rejected`,
    risk: 'read',
    async run({ plugin, key }) {
      const { query = '', headers = {} } = place(key)
      expectErrorResponse(await plugin.send({ method: 'GET', path: `/api/status${query}`, key: null, headers }))
      expectStatus(await plugin.status(), 200)
    },
  }),
)

const schemes: readonly { readonly id: string; readonly what: string; readonly header: (key: string) => string }[] = [
  { id: 'CT-734', what: 'the key in Authorization without a scheme', header: (key) => key },
  { id: 'CT-735', what: 'Authorization: Basic <key>', header: (key) => `Basic ${key}` },
  {
    id: 'CT-736',
    what: 'the key as user name and password of Basic authentication',
    header: (key) => `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`,
  },
  { id: 'CT-737', what: 'Authorization: Token <key>', header: (key) => `Token ${key}` },
  { id: 'CT-738', what: 'Authorization: Bearer<key> (no space)', header: (key) => `Bearer${key}` },
]

const schemeChecks = schemes.map(
  ({ id, what, header }): Check => ({
    id,
    requirement: 'plugin.auth.only-the-headers',
    title: `GET /api/status with ${what} is rejected`,
    risk: 'read',
    async run({ plugin, key }) {
      expectErrorResponse(await plugin.status({ key: null, headers: { Authorization: header(key) } }))
      expectStatus(await plugin.status({ as: 'bearer' }), 200)
    },
  }),
)

/** Clause 5: the key is accepted only in its two headers. */
export const keyElsewhereChecks: readonly Check[] = [
  ...elsewhereChecks,
  ...schemeChecks,
  {
    id: 'CT-740',
    requirement: 'plugin.auth.only-the-headers',
    title: 'GET, POST and DELETE of rules with the key only in the query string fail and change nothing',
    risk: 'write',
    async run(session) {
      const { plugin, rules, key } = session
      const [rule] = await rules.arrange(1)
      const before = await rules.read()
      const query = `?api_key=${encodeURIComponent(key)}&key=${encodeURIComponent(key)}&X-API-Key=${encodeURIComponent(key)}`
      const body = JSON.stringify(rules.draft())
      expectErrorResponse(await plugin.send({ method: 'GET', path: `/api/rules${query}`, key: null }))
      expectErrorResponse(await plugin.send({ method: 'POST', path: `/api/rules${query}`, key: null, body }))
      expectErrorResponse(await plugin.send({ method: 'DELETE', path: `/api/rules/${rule.index}${query}`, key: null }))
      expectUnchanged(await rules.read(), before)
      await expectAccepted(session, writes, {})
    },
  },
  {
    id: 'CT-739',
    requirement: 'plugin.auth.only-the-headers',
    title: 'POST of a rule with the key only in the body is rejected and adds nothing',
    risk: 'write',
    async run({ plugin, rules, key }) {
      const before = await rules.read()
      const body = { ...rules.draft(), api_key: key, 'X-API-Key': key }
      expectErrorResponse(await plugin.add(body, withoutKey))
      expectUnchanged(await rules.read(), before)
    },
  },
]
