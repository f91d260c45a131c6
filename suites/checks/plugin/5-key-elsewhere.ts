import { after } from '../../assertions/after.ts'
import { expectErrorResponse, expectUnchanged } from '../../assertions/expect.ts'
import { type Check, checks } from '../../session/check.ts'
import { withoutKey } from '../../session/operations.ts'
import type { PluginRequest } from '../../session/plugin.ts'
import { reading, writing } from './scopes.ts'

const queryNames = ['api_key', 'key', 'apikey', 'X-API-Key', 'token', 'access_token']

const queryWith = (key: string) => `?${queryNames.map((name) => `${name}=${encodeURIComponent(key)}`).join('&')}`

/** Where a server may look for the key besides the two documented headers. */
const elsewhere: Readonly<Record<string, (key: string) => Pick<PluginRequest, 'path' | 'headers'>>> = {
  'the query string': (key) => ({ path: `/api/status${queryWith(key)}` }),
  'a cookie': (key) => inHeaders({ Cookie: `api_key=${key}; X-API-Key=${key}` }),
  'an undocumented header': (key) => inHeaders({ 'Api-Key': key, 'X-Api-Token': key }),
  'Authorization without a scheme': (key) => inHeaders({ Authorization: key }),
  'Authorization: Basic': (key) => inHeaders({ Authorization: `Basic ${key}` }),
  'user name and password': (key) =>
    inHeaders({ Authorization: `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}` }),
  'Authorization: Token': (key) => inHeaders({ Authorization: `Token ${key}` }),
  'Authorization: Bearer without a space': (key) => inHeaders({ Authorization: `Bearer${key}` }),
}

function inHeaders(headers: Readonly<Record<string, string>>) {
  return { path: '/api/status', headers }
}

/** Clause 5: the key is accepted only in its two headers. */
export const keyElsewhereChecks: readonly Check[] = [
  ...checks(reading, 'plugin.auth.only-the-headers', {
    'CT-731 GET /api/status with the key only in another place than the two headers is rejected': async ({
      plugin,
      key,
    }) => {
      for (const [where, place] of Object.entries(elsewhere)) {
        await after(`the key in ${where}`, async () => {
          expectErrorResponse(await plugin.send({ method: 'GET', key: null, ...place(key) }))
        })
      }
    },
  }),
  ...checks(writing, 'plugin.auth.only-the-headers', {
    'CT-740 POST and DELETE of rules with the key only in the query string or the body fail and change nothing':
      async ({ plugin, rules, key }) => {
        const [rule] = await rules.arrange(1)
        const before = await rules.read()
        const expectKept = async () => expectUnchanged(await rules.read(), before)
        const query = queryWith(key)
        const body = JSON.stringify(rules.draft())
        await plugin.send({ method: 'POST', path: `/api/rules${query}`, key: null, body })
        // The next request could remove what this one adds.
        await after('POST with the key in the query string', expectKept)
        await plugin.send({ method: 'DELETE', path: `/api/rules/${rule.index}${query}`, key: null })
        await after('DELETE with the key in the query string', expectKept)
        await plugin.add({ ...rules.draft(), api_key: key, 'X-API-Key': key }, withoutKey)
        await after('POST with the key in the body', expectKept)
      },
  }),
]
