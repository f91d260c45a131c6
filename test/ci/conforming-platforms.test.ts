import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'vitest'
import type { Report } from '../../reports/report.ts'
import { CodedErrorResponse } from '../../simulator/platform/coded-error-response.ts'
import type { PlatformSimulatorOptions } from '../../simulator/platform/index.ts'
import { command, emptyFolder } from '../command.ts'
import { liveEnv as env, startLivePlatform } from '../live-platform.ts'

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

interface Platform {
  /** What the specification leaves open, and this platform decides in its own way. */
  readonly what: string
  readonly options?: PlatformSimulatorOptions
  readonly intercept?: () => Intercept
  /** Default: a group in which anything may be created. */
  readonly args?: readonly string[]
  readonly only: readonly string[]
}

const anything = ['--group', 'demo', '--disposable-platform']
const stated = ['--group', 'demo', '--currency', 'USD', '--leverage', '100']

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  return true
}

/** Changes the headers before the platform reads them. */
const reads =
  (change: (headers: IncomingMessage['headers']) => void) =>
  (): Intercept =>
  ({ headers }) => {
    change(headers)
    return false
  }

const [timestamp, signature] = ['x-platform-timestamp', 'x-platform-signature'] as const

function withoutSignature(headers: IncomingMessage['headers']): void {
  delete headers[timestamp]
  delete headers[signature]
}

const oldAccount = { name: 'Old', balance: 1, currency: 'USD' }

const platforms: readonly Platform[] = [
  {
    what: 'has no room for a further account',
    options: {
      override: () => ({
        judgeRepetition: () => {
          throw new CodedErrorResponse(403, 'limit_reached', 'The brokerage may have 5 accounts.')
        },
      }),
    },
    args: stated,
    only: ['CP-201', 'CP-205'],
  },
  ...[422, 507].map(
    (status): Platform => ({
      what: `has a limit of two accounts, and returns ${status} with "account_limit" for a third`,
      options: {
        override: () => ({
          judgeRepetition: (_, accounts) => {
            if (accounts.length < 2) return
            throw new CodedErrorResponse(status, 'account_limit', 'Close one of them first.')
          },
        }),
      },
      only: ['CP-206', 'CP-217', 'CP-612'],
    }),
  ),
  {
    what: 'limits requests with 503 and Retry-After',
    intercept: () => {
      const times: number[] = []
      return (_, response) => {
        times.push(Date.now())
        if (times.filter((time) => time > Date.now() - 1000).length <= 15) return false
        return json(response, 503, { error: { code: 'slow_down' } }, { 'Retry-After': '1' })
      }
    },
    args: [],
    only: ['CP-301', 'CP-901'],
  },
  {
    what: 'has a group with the number of a balance in its name',
    options: { groups: ['demo-10000', 'demo-10500'] },
    args: ['--group', 'demo-10000', '--disposable-platform'],
    only: ['CP-217'],
  },
  {
    what: 'has a group with the number of another balance in its name',
    options: { groups: ['demo-10500'] },
    args: ['--group', 'demo-10500', '--max-accounts', '9'],
    only: ['CP-213'],
  },
  {
    what: 'accepts the secret as the key',
    options: { profile: { 'platform.auth.secret-as-bearer': 'accepted' } },
    only: ['CP-301'],
  },
  {
    what: 'accepts the key in the scheme Basic too',
    intercept: reads((headers) => {
      const [, credentials] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
      if (credentials === undefined) return
      headers.authorization = `Bearer ${Buffer.from(credentials, 'base64').toString().replace(/:$/, '')}`
    }),
    only: ['CP-306'],
  },
  {
    what: 'takes a request without a timestamp for an unsigned one',
    intercept: reads((headers) => {
      if (headers[timestamp] === undefined) withoutSignature(headers)
    }),
    only: ['CP-406'],
  },
  {
    what: 'takes an empty signature for none',
    intercept: reads((headers) => {
      if (headers[signature] === '') withoutSignature(headers)
    }),
    only: ['CP-402', 'CP-411'],
  },
  {
    what: 'lists accounts with the time of their last change, and chooses a name or balance that is missing',
    options: {
      profile: { 'platform.create.missing-name': 'accepted', 'platform.create.missing-balance': 'accepted' },
      override: ({ listedBody }) => ({
        listedBody: (...given) => ({ ...Object(listedBody(...given)), changed_at: performance.now() }),
      }),
    },
    only: ['CP-241'],
  },
  {
    what: 'accepts each signature only once, for reads too',
    intercept: () => {
      const used = new Set<unknown>()
      return ({ headers }, response) => {
        const { [signature]: given } = headers
        if (used.has(given)) return json(response, 401, { error: { code: 'invalid_signature' } })
        if (given !== undefined) used.add(given)
        return false
      }
    },
    only: ['CP-101', 'CP-103', 'CP-603', 'CP-614', 'CP-901'],
  },
  {
    what: 'has a website at all other paths',
    intercept: () => (request, response) => {
      if (request.url?.startsWith('/v1/')) return false
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Brokerage</title>')
      return true
    },
    only: ['CP-307', 'CP-903'],
  },
  {
    what: 'has an account with a name that is in an error text',
    options: { override: () => ({ listedBody: ({ balance, currency }) => ({ name: 'wrong', balance, currency }) }) },
    only: ['CP-221', 'CP-228'],
  },
  {
    what: 'has a POST that changes the account',
    intercept: () => {
      let name = 'Brokerage'
      return ({ method, url, headers }, response) => {
        if (url !== '/v1/account' || headers.authorization === undefined) return false
        if (method === 'POST') name = 'Changed'
        if (!['GET', 'POST'].includes(method ?? '')) return false
        return json(response, 200, {
          data: { id: 'acct_1', name, status: 'active', created_at: '2025-03-04T09:30:15Z' },
        })
      }
    },
    only: ['CP-216'],
  },
  {
    what: 'has a DELETE that removes all accounts',
    intercept: () => {
      let removed = 0
      let count = 0
      return ({ method, url }, response) => {
        if (method === 'DELETE' && url === '/v1/trading-accounts') {
          removed = count
          response.writeHead(204).end()
          return true
        }
        if (method !== 'GET' || url !== '/v1/trading-accounts') return false
        const { end } = response
        response.end = ((body: Uint8Array) => {
          const { data } = JSON.parse(Buffer.from(body).toString()) as { data: unknown[] }
          count = data.length
          const text = JSON.stringify({ data: data.slice(removed) })
          response.setHeader('Content-Length', Buffer.byteLength(text))
          return end.call(response, text, 'utf8')
        }) as typeof end
        return false
      }
    },
    only: ['CP-216', 'CP-239'],
  },
  {
    what: 'lists the 3 oldest accounts, and how many there are as count',
    options: {
      override: () => ({
        listBody: (accounts) => ({ data: Array(3).fill(oldAccount), count: accounts.length + 3 }),
      }),
    },
    only: ['CP-221', 'CP-229', 'CP-230', 'CP-236'],
  },
  {
    what: 'lists brokerage accounts at /v1/accounts, and has no list of trading accounts',
    options: { profile: { 'platform.list.path': 'none' } },
    intercept: () => (request, response) =>
      request.url === '/v1/accounts' && json(response, 200, { data: [{ id: 'acct_1', name: 'Brokerage' }] }),
    only: ['CP-221', 'CP-602', 'CP-608'],
  },
  {
    what: 'has accounts in yen, which has no fraction',
    options: {
      override: ({ readBalance }) => ({
        readBalance: (value) => {
          const balance = readBalance(value)
          if (Number.isInteger(balance)) return balance
          throw new CodedErrorResponse(422, 'fraction', 'A balance in yen has no fraction.')
        },
      }),
    },
    args: ['--group', 'demo', '--max-accounts', '9', '--currency', 'JPY', '--leverage', '100'],
    only: ['CP-206', 'CP-231'],
  },
  {
    what: 'writes names in the normal form of Unicode',
    options: { override: ({ readName }) => ({ readName: (value) => readName(value).normalize('NFC') }) },
    only: ['CP-230', 'CP-236'],
  },
  {
    what: 'breaks off half a surrogate pair, which RFC 8259 calls unpredictable',
    options: {
      override: ({ readName }) => ({
        readName: (value) => {
          const name = readName(value)
          if (/\p{Surrogate}/u.test(name)) throw new Error('half of a surrogate pair')
          return name
        },
      }),
    },
    only: ['CP-218'],
  },
  {
    what: 'opens one account of each name',
    options: {
      override: () => ({
        judgeRepetition: ({ name }, accounts) => accounts.find((account) => account.name === name),
        createdStatus: 200,
      }),
    },
    only: ['CP-238'],
  },
]

test.concurrent.for(platforms)(
  'a platform that $what is not accused',
  async ({ options, intercept, args = anything, only }, { onTestFinished: onEnd, expect }) => {
    const { url } = await startLivePlatform(options, intercept?.(), onEnd)
    const folder = emptyFolder(onEnd)
    const chosen = only.flatMap((id) => ['--only', id])
    const risk = args.length === 0 ? [] : ['--risk', 'write', ...args]
    const { code, stdout, stderr } = await command(['run', '--platform-url', url, '--seed', '1', ...risk, ...chosen], {
      env,
      cwd: folder,
      onEnd,
    })
    expect([0, 3], stdout + stderr).toContain(code)
    const { requirements } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
    const judged = requirements.flatMap(({ checks }) => checks.filter(({ id }) => only.includes(id)))
    expect(judged.map(({ id }) => id).toSorted()).toEqual(only.toSorted())
    expect(judged.filter(({ status }) => status === 'failed').map(({ id, message }) => `${id} ${message}`)).toEqual([])
  },
)
