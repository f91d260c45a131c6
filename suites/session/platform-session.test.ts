import { expect, test } from 'vitest'
import { CannotArrange, NotApplicable, OutOfScope } from '../assertions/failure.ts'
import { responseOf } from '../client/client.test-data.ts'
import type { Client } from '../client/client.ts'
import { createRecorder } from '../client/recorder.ts'
import { NoResponse } from '../client/response.ts'
import { unpaced } from '../client/wait.ts'
import { createAccountDrafts } from './account.ts'
import { createPlatform } from './platform.ts'
import { createPlatformSession } from './platform-session.ts'

/** A platform with a prepared response for each request line; undefined means no response. */
function sessionWith(responses: Record<string, unknown>) {
  const recorder = createRecorder((text) => text)
  const asked: string[] = []
  const client: Client = async ({ method, path }) => {
    const line = `${method} ${path}`
    asked.push(line)
    const json = responses[line]
    const exchange = recorder.record({
      startedAt: '2026-11-20T00:00:00.000Z',
      durationMs: 1,
      request: { method, url: path, headers: [], body: null },
      response: null,
      failure: null,
    })
    if (json === undefined) throw new NoResponse('no answer', exchange)
    return responseOf(json === null ? 404 : 200, {}, Buffer.from(JSON.stringify(json)), exchange)
  }
  const session = createPlatformSession({
    platform: createPlatform(client, {
      key: 'k',
      secret: null,
      vendor: 'X',
      prefix: '',
      times: () => 1,
      pace: unpaced,
    }),
    recorder,
    listPaths: ['/v1/trading-accounts', '/v1/accounts'],
    raw: () => Promise.reject(new Error('no raw bytes here')),
    address: { origin: 'http://example.test', host: 'example.test', prefix: '' },
    ...{
      owned: false,
      mayTryAnything: false,
      answersAgain: async () => true,
      areTermsStated: false,
    },
    draft: createAccountDrafts('copytrade-tck test', 'demo'),
  })
  return { session, recorder, asked, responses }
}

const account = { data: { id: 'acct_1' } }

test('the sample is created once, and every check that depends on it shows its exchanges', async () => {
  const { session, recorder, asked } = sessionWith({
    'GET /v1/account': account,
    'GET /v1/trading-accounts': null,
    'GET /v1/accounts': { items: [] },
    'POST /v1/trading-accounts': {},
  })
  const first = await session.created()
  const shown = recorder.take().exchanges.map(({ id }) => id)
  expect(await session.created()).toBe(first)
  expect(recorder.take().exchanges.map(({ id }) => id)).toEqual(shown)
  expect(shown).toHaveLength(7)
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  expect(await session.listPath()).toBe('/v1/accounts')
})

test('a creation without a response is never repeated, and blocks the checks that depend on it', async () => {
  const { session, asked } = sessionWith({
    'GET /v1/account': account,
    'GET /v1/trading-accounts': [],
    'POST /v1/trading-accounts': undefined,
  })
  await expect(session.sample()).rejects.toThrow(NoResponse)
  await expect(session.sample()).rejects.toThrow(CannotArrange)
  await expect(session.created()).rejects.toThrow(CannotArrange)
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test('a read without a response is repeated by the next check', async () => {
  const { session, responses } = sessionWith({})
  await expect(session.ordinary()).rejects.toThrow(NoResponse)
  responses['GET /v1/account'] = account
  expect((await session.ordinary()).json).toEqual(account)
})

test('a partial list is out of scope, but accounts can still be created', async () => {
  const { session } = sessionWith({
    'GET /v1/account': account,
    'GET /v1/trading-accounts': { data: [{ name: 'one' }], has_more: true },
    'POST /v1/trading-accounts': {},
  })
  expect(await session.created()).toMatchObject({ listBefore: null, listAfter: null })
  expect(await session.listPath()).toBe('/v1/trading-accounts')
  await expect(session.list()).rejects.toThrow(OutOfScope)
})

test('if no list is found, checks about the list are not applicable', async () => {
  const { session } = sessionWith({ 'GET /v1/trading-accounts': null, 'GET /v1/accounts': { data: {} } })
  expect(await session.listPath()).toBeNull()
  await expect(session.list()).rejects.toThrow(NotApplicable)
})
