import { expect, test } from 'vitest'
import { OutOfScope } from '../assertions/failure.ts'
import { responseOf } from '../client/client.test-data.ts'
import type { HttpResponse } from '../client/response.ts'
import { listIn } from './account-list.ts'

function response(json: unknown, headers: Record<string, string> = {}, status = 200): HttpResponse {
  return responseOf(status, headers, Buffer.from(JSON.stringify(json)), {} as HttpResponse['exchange'])
}

const accounts = [{ name: 'one' }, { name: 'two' }]

test.for([
  [accounts],
  [{ data: accounts }],
  [{ trading_accounts: accounts, total: 2 }],
  [{ data: { items: accounts }, meta: { pages: [1] } }],
  [{ meta: { hint: 'x' }, result: { page: { rows: accounts } } }],
  [{ errors: [], data: accounts }],
  [{ warnings: ['old key'], data: accounts }],
  [{ errors: [], result: { items: accounts } }],
  [{ data: accounts, meta: { page: 1, last_page: 1, total: 2 }, links: { next: null } }],
  [{ links: [{ rel: 'self', href: '/v1/accounts' }], data: accounts }],
  [{ filters: [{ name: 'active' }], data: { items: accounts.map((one) => ({ ...one, balance: 1 })) } }],
] as const)('the accounts are found in %j', ([json]) => {
  expect(listIn(response(json))?.accounts).toMatchObject(accounts)
})

test('an account that is wrapped in a member of its item is unwrapped', () => {
  const items = accounts.map((attributes, id) => ({ type: 'trading-account', id, attributes }))
  expect(listIn(response({ data: items }))?.accounts).toMatchObject(accounts)
  expect(listIn(response({ data: accounts.map((one) => ({ ...one, owner: { name: 'x' } })) }))?.accounts).toMatchObject(
    accounts,
  )
})

test.for([[{ data: {} }], ['text'], [null], [{ a: { b: { c: { d: accounts } } } }]] as const)(
  'there is no list in %j',
  ([json]) => {
    expect(listIn(response(json))).toBeNull()
  },
)

test('an empty list is a list', () => {
  expect(listIn(response({ errors: [], data: [] }))?.accounts).toEqual([])
})

test('an error response contains no list', () => {
  expect(listIn(response({ errors: accounts }, {}, 404))).toBeNull()
})

test.for([
  [{ data: accounts, has_more: true }, {}],
  [{ data: accounts, next_cursor: 'abc' }, {}],
  [{ data: accounts, meta: { page: 1, per_page: 2, total: 3 } }, {}],
  [{ data: accounts, pagination: { current_page: 1, total_pages: 2 } }, {}],
  [{ data: accounts, meta: { page: 1, pages: 2 } }, {}],
  [{ content: accounts, page: 0, totalElements: 3 }, {}],
  [{ data: accounts, count: 3 }, {}],
  [accounts, { 'x-total': '3' }],
  [accounts, { 'content-range': 'accounts 0-1/3' }],
  [{ data: accounts, meta: { 'page-count': 2 } }, {}],
  [{ data: accounts, pageInfo: { hasNextPage: true } }, {}],
  [{ data: { items: accounts, nextPageToken: 'abc' } }, {}],
  [{ data: accounts, links: { next: '/v1/accounts?page=2' } }, {}],
  [{ data: accounts, meta: { cursors: { after: 'abc' }, hasMore: true } }, {}],
  [accounts, { link: '</v1/accounts?page=2>; rel="next"' }],
  [accounts, { link: '</v1/accounts?page=2>; rel=next' }],
  [accounts, { 'x-total-count': '3' }],
] as const)('a partial list is not judged: %j %j', ([json, headers]) => {
  expect(() => listIn(response(json, headers))).toThrow(OutOfScope)
})
