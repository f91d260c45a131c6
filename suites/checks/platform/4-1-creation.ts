import { expectEqual, expectJsonType, expectThat } from '../../assertions/expect.ts'
import { accountText, invalidBodies, otherBodies } from '../../session/account-body.ts'
import type { PlatformCheck } from '../../session/check.ts'
import { createPath } from '../../session/platform.ts'
import {
  accountNamed,
  expectClientError,
  expectNoSuccess,
  expectSuccess,
  isSuccess,
} from '../../session/platform-expect.ts'
import { toJson } from '../../session/plugin.ts'
import { creating, onlyOwn, sampling } from './scopes.ts'

const post = { method: 'POST', path: createPath } as const

/** Clause 4.1: the creation of a trading account. A limit on accounts cuts the list off, so the most important come first. */
export const creationChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-201',
    requirement: 'platform.create.accepted',
    title: 'POST /v1/trading-accounts with all five documented fields succeeds',
    ...sampling,
    run: async ({ platform }) => expectSuccess((await platform.sample()).response),
  },
  {
    id: 'CP-202',
    requirement: 'platform.create.json',
    title: 'POST /v1/trading-accounts returns JSON or an empty body',
    ...sampling,
    async run({ platform }) {
      const { response } = await platform.created()
      expectThat(response.bytes.length === 0 || response.json !== undefined, 'body.neither-json-nor-empty', {
        difference: null,
        response,
      })
    },
  },
  {
    id: 'CP-203',
    requirement: 'platform.create.content-type',
    title: 'POST /v1/trading-accounts responds with Content-Type application/json if there is a body',
    ...sampling,
    async run({ platform }) {
      const { response } = await platform.created()
      if (response.bytes.length > 0) expectJsonType(response)
    },
  },
  {
    id: 'CP-204',
    requirement: 'platform.auth.create-needs-key',
    title: 'POST /v1/trading-accounts is rejected without a key and with a wrong key',
    ...creating,
    creates: 2,
    async run({ platform }) {
      for (const key of [null, `${platform.key}x`]) {
        const draft = platform.draft()
        expectNoSuccess(await platform.create(draft, { key }))
        const list = (await platform.listPath()) === null ? null : await platform.list()
        expectThat(
          list === null || accountNamed(list, draft.name) === undefined,
          'trading-account.created-without-key',
          {
            actual: draft.name,
            difference: key === null ? 'without key' : 'wrong key',
          },
        )
      }
      await platform.created()
    },
  },
  {
    id: 'CP-205',
    requirement: 'platform.create.every-time',
    title: 'POST /v1/trading-accounts creates another account after the first',
    ...creating,
    creates: 1,
    async run({ platform }) {
      await platform.created()
      expectSuccess(await platform.create(platform.draft()))
    },
  },
  {
    id: 'CP-206',
    requirement: 'platform.create.balance-with-fraction',
    title: 'POST /v1/trading-accounts with balance 1234.56 succeeds',
    ...creating,
    creates: 1,
    async run({ platform }) {
      await platform.created()
      expectSuccess(await platform.create(platform.draft({ balance: 1_234.56 })))
    },
  },
  {
    id: 'CP-207',
    requirement: 'platform.create.any-json-form',
    title: 'POST /v1/trading-accounts with Content-Type application/json; charset=utf-8 succeeds',
    ...creating,
    creates: 1,
    async run({ platform }) {
      await platform.created()
      expectSuccess(await platform.create(platform.draft(), { contentType: 'application/json; charset=utf-8' }))
    },
  },
  {
    id: 'CP-208',
    requirement: 'platform.create.any-json-form',
    title: 'POST /v1/trading-accounts with fields in reverse order and extra whitespace succeeds',
    ...creating,
    creates: 1,
    async run({ platform }) {
      await platform.created()
      const backwards = Object.fromEntries(Object.entries(platform.draft()).toReversed())
      const body = `\r\n\t${JSON.stringify(backwards, null, '\t').replaceAll(':', ' : ')}\n `
      expectSuccess(await platform.send({ ...post, body }))
    },
  },
  {
    id: 'CP-209',
    requirement: 'platform.create.any-json-form',
    title: 'POST /v1/trading-accounts with escaped letters in strings and field names succeeds',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      const text = accountText(platform.draft())
      const body = text.replace('"currency"', '"\\u0063urrency"').replace('"USD"', '"\\u0055S\\u0044"')
      expectSuccess(await platform.send({ ...post, body }))
    },
  },
  {
    id: 'CP-210',
    requirement: 'platform.create.malformed-body',
    title: 'POST /v1/trading-accounts with invalid JSON is rejected with 4xx',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      for (const body of invalidBodies(platform.draft())) {
        expectClientError(await platform.send({ ...post, body }))
      }
    },
  },
  {
    id: 'CP-211',
    requirement: 'platform.create.malformed-body',
    title: 'POST /v1/trading-accounts with an array, string, number, boolean or null is rejected with 4xx',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      for (const body of otherBodies(platform.draft())) expectClientError(await platform.send({ ...post, body }))
    },
  },
  {
    id: 'CP-212',
    requirement: 'platform.create.refused-adds-nothing',
    title: 'A rejected POST /v1/trading-accounts adds no account to the list',
    ...onlyOwn,
    async run({ platform }) {
      await platform.created()
      const count = async () => (await platform.list()).accounts.length
      const draft = platform.draft()
      const incomplete = ['name', 'currency', 'balance'].map((member) =>
        accountText(platform.draft(), { [member]: undefined }),
      )
      const odd = [{ leverage: -1 }, { balance: -1 }, { currency: 'Q' }, { group: 'no-such-group-of-anybody' }]
      const bodies = [
        ...['{', toJson([draft]), ...incomplete].map((body) => ({ body })),
        ...invalidBodies(draft)
          .slice(3, 5)
          .map((body) => ({ body })),
        ...odd.map((changes) => ({ body: accountText(platform.draft(), changes) })),
        { body: accountText(platform.draft()), contentType: 'text/plain' },
        { body: accountText(platform.draft()), key: null },
        { body: accountText(platform.draft()), key: 'not-the-key' },
      ]
      let before = await count()
      for (const one of bodies) {
        const response = await platform.send({ ...post, ...one })
        const after = await count()
        if (!isSuccess(response)) expectEqual('trading-account.count-changed', after, before)
        before = after
      }
    },
  },
]
