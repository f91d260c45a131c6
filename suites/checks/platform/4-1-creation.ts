import { expectEqual, expectJsonType, expectStatusKind, expectThat } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { isRead } from '../../client/exchange.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import {
  type AccountDraft,
  accountText,
  invalidBodies,
  otherBodies,
  rejectAtLimit,
  requireCreatable,
} from '../../session/account.ts'
import { expectKeylessRejected } from '../../session/keyless-requests.ts'
import { accountPath, createPath, type PlatformRequest } from '../../session/platform.ts'
import {
  accountNamed,
  arrangeAccount,
  expectAccount,
  expectClientError,
  expectListed,
  expectNotCreated,
  expectSuccess,
  identityOf,
  isClientError,
  listWhen,
  listWithNew,
  requireFraction,
  requireSuccess,
} from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { toJson } from '../../session/plugin.ts'
import { responseOrClosed } from '../../session/raw-request.ts'
import { wrongDigits } from '../../session/signing.ts'
import { checks, creating, creatingOne, disposableOnly, judgingResponses, sampling } from './scopes.ts'

const post = { method: 'POST', path: createPath } as const

const succeeds =
  (create: (platform: PlatformSession) => Promise<HttpResponse>, limits?: readonly number[]) =>
  async (platform: PlatformSession) => {
    await platform.created()
    const response = await create(platform)
    rejectAtLimit(response, limits)
    expectSuccess(response)
  }

const rejectsBodies = (bodiesOf: (draft: AccountDraft) => readonly string[]) => async (platform: PlatformSession) => {
  await platform.created()
  for (const body of bodiesOf(platform.draft())) expectClientError(await platform.createText(body))
}

/** Forms of a creation that JSON and HTTP allow; its name has a slash and a character of two surrogates, if it may. */
const forms: Readonly<Record<string, (json: string) => Pick<PlatformRequest, 'body' | 'contentType'>>> = {
  'Content-Type Application/JSON': (json) => ({ body: json, contentType: 'Application/JSON' }),
  '1,100 spaces': (json) => ({ body: json.replace('{', `{${' '.repeat(1_100)}`) }),
  '4,200 spaces': (json) => ({ body: json.replace('{', `{${' '.repeat(4_200)}`) }),
  'an escaped slash': (json) => ({ body: json.replace('a/b', 'a\\/b') }),
  'escaped surrogates': (json) => ({ body: json.replace('🙂', '\\ud83d\\ude42') }),
  'the balance as 1e4': (json) => ({ body: json.replace('"balance":10000', '"balance":1e4') }),
  'the balance as 1E+4': (json) => ({ body: json.replace('"balance":10000', '"balance":1E+4') }),
}

/** A draft for `forms`, the first of which is created as usual: which names are accepted is not specified. */
async function draftsForForms(platform: PlatformSession): Promise<() => AccountDraft> {
  const named = (end: string) => () => {
    const plain = platform.draft({ balance: 10_000 })
    return { ...plain, name: `${plain.name}${end}` }
  }
  const odd = named(' a/b 🙂')
  return isClientError(await platform.create(odd())) ? named('') : odd
}

function expectJsonOrEmpty(response: HttpResponse): void {
  const isRead = response.bytes.length === 0 || response.json !== undefined
  expectThat(isRead, 'body.neither-json-nor-empty', { difference: null, response })
}

type Body = readonly [what: string, bodyOf: (draft: AccountDraft) => string]

const wrongFields: readonly Body[] = [
  ...(['name', 'group', 'leverage', 'currency', 'balance'] as const).flatMap((field) =>
    [undefined, null, true, 7, '1', [], {}].map(
      (value): Body => [
        value === undefined ? `no ${field}` : `the ${field} ${toJson(value)}`,
        (draft) => accountText(draft, { [field]: value }),
      ],
    ),
  ),
  ...['__proto__', 'constructor', ''].map(
    (name): Body => [`a field "${name}"`, (draft) => accountText(draft).replace('{', `{"${name}":{},`)],
  ),
]

/** A path that only begins as the documented one, and one of a version that does not exist (clauses 4.1, 9). */
const unknownPaths: readonly string[] = [`${createPath}x`, '/v99/trading-accounts']

/** No rejected request, read or unknown path adds or removes an account. Returns whether another request did more than add. */
async function expectRejectedToChangeNothing(platform: PlatformSession, requests: readonly PlatformRequest[]) {
  let before = ((await listWithNew(platform)) ?? (await platform.list())).accounts.length
  let didMoreThanAdd = false
  for (const request of requests) {
    // A server may close the connection after a GET with a body (RFC 9110, section 9.3.1).
    const sent = platform.send(request)
    const response = await (request.method === 'GET' && request.body !== undefined ? responseOrClosed(sent) : sent)
    const mayChange = !isRead(request.method) && !unknownPaths.includes(request.path)
    const isAccepted = mayChange && response !== null && isSuccess(response)
    const { accounts } = await listWhen(platform, (list) => !isAccepted || list.accounts.length > before)
    await after(`${request.method} ${request.path}`, () => {
      if (!isAccepted) expectEqual('trading-account.count-changed', accounts.length, before)
    })
    didMoreThanAdd ||= isAccepted && accounts.length !== before + 1
    before = accounts.length
  }
  return didMoreThanAdd
}

/** Clause 4.1: the creation. With a limit on accounts only the first checks run, so the most important come first. */
export const creationChecks = [
  ...checks(sampling, 'platform.create.accepted', {
    'CP-201 POST /v1/trading-accounts with all five documented fields succeeds': async (platform) => {
      const { draft, response, listBefore, listAfter } = await platform.sample()
      const isOld = listBefore !== null && accountNamed(listBefore, draft.name) !== undefined
      if (listAfter !== null && !isOld && response.status < 500) expectNotCreated(listAfter, draft, response)
      requireCreatable(platform, draft, response)
      expectSuccess(response)
    },
  }),
  ...checks(sampling, 'platform.create.json', {
    'CP-202 POST /v1/trading-accounts returns JSON or an empty body': async (platform) => {
      expectJsonOrEmpty((await platform.created()).response)
    },
  }),
  ...checks(sampling, 'platform.create.content-type', {
    'CP-203 POST /v1/trading-accounts responds with Content-Type application/json if there is a body': async (
      platform,
    ) => {
      const { response } = await platform.created()
      if (response.bytes.length > 0) expectJsonType(response)
    },
  }),
  ...checks({ ...disposableOnly, tolerates: ['no effect', 'rejection'] }, 'platform.create.json', {
    'CP-219 A successful POST /v1/trading-accounts with a name in several scripts returns JSON or no body': async (
      platform,
    ) => {
      const plain = platform.draft()
      // A length that counts characters cuts the end of a response that repeats the name.
      const response = await platform.create({ ...plain, name: `${plain.name} Łódź Ελλάδα 東京 🙂` })
      if (response.status >= 500) requireSuccess(response)
      if (!isSuccess(response)) return
      expectJsonOrEmpty(response)
    },
  }),
  // If no list is found, only the responses are judged.
  ...checks({ ...creating, creates: 2, tolerates: ['rejection'] }, 'platform.auth.create-needs-key', {
    'CP-204 POST /v1/trading-accounts is rejected without a key and with a wrong key': async (platform) => {
      for (const key of [null, `${platform.key}x`]) {
        const draft = platform.draft()
        const response = await platform.create(draft, { key })
        await expectKeylessRejected(platform, draft, key === null ? 'without key' : 'wrong key', response)
      }
      await platform.created()
    },
  }),
  ...checks({ ...creatingOne, ...judgingResponses }, 'platform.create.every-time', {
    'CP-205 POST /v1/trading-accounts creates another account after the first': succeeds(
      (platform) => platform.create(platform.draft()),
      [402, 403],
    ),
  }),
  ...checks({ ...creatingOne, ...judgingResponses }, 'platform.create.balance-with-fraction', {
    // Near the balance of the sample, since a platform may limit balances.
    'CP-206 POST /v1/trading-accounts with balance 10234.56 succeeds': succeeds((platform) => {
      requireFraction(platform)
      return platform.create(platform.draft({ balance: 10_234.56 }))
    }),
  }),
  ...checks({ ...creatingOne, ...judgingResponses }, 'platform.create.any-json-form', {
    'CP-207 POST /v1/trading-accounts with Content-Type application/json; charset=utf-8 succeeds': succeeds(
      (platform) => platform.create(platform.draft(), { contentType: 'application/json; charset=utf-8' }),
    ),
    'CP-208 POST /v1/trading-accounts with fields in reverse order and extra whitespace succeeds': succeeds(
      (platform) => {
        const backwards = Object.fromEntries(Object.entries(platform.draft()).toReversed())
        const body = `\r\n\t${JSON.stringify(backwards, null, '\t').replaceAll(':', ' : ')}\n `
        return platform.createText(body)
      },
    ),
    'CP-209 POST /v1/trading-accounts with escaped letters in strings and field names succeeds': succeeds(
      (platform) => {
        const draft = platform.draft()
        const escapes = Buffer.from(draft.currency, 'latin1').toString('hex').replaceAll(/../g, '\\u00$&')
        const text = accountText(draft).replace('"currency"', '"\\u0063urrency"')
        const body = text.replace(`"${draft.currency}"`, `"${escapes}"`)
        return platform.createText(body)
      },
    ),
    'CP-213 POST /v1/trading-accounts with the balance as 1.05e4 succeeds': succeeds((platform) => {
      const body = accountText(platform.draft({ balance: 10_500 })).replace('"balance":10500', '"balance":1.05e4')
      return platform.createText(body)
    }),
  }),
  ...checks({ ...disposableOnly, tolerates: ['no effect', 'rejection'] }, 'platform.create.any-json-form', {
    'CP-217 POST /v1/trading-accounts with other escapes, numbers, white space or case of its type creates what was sent':
      async (platform) => {
        await platform.created()
        const nextDraft = await draftsForForms(platform)
        for (const [what, write] of Object.entries(forms)) {
          const draft = nextDraft()
          const response = await platform.send({ ...post, ...write(accountText(draft)) })
          rejectAtLimit(response)
          // How large a body may be is not specified.
          if (response.status === 413) continue
          await after(`POST with ${what}`, async () => {
            expectSuccess(response)
            await expectListed(platform, draft, response)
          })
        }
      },
  }),
  ...checks(disposableOnly, 'platform.create.malformed-body', {
    'CP-210 POST /v1/trading-accounts with invalid JSON is rejected with 4xx': rejectsBodies(invalidBodies),
    'CP-211 POST /v1/trading-accounts with an array, string, number, boolean or null is rejected with 4xx':
      rejectsBodies(otherBodies),
  }),
  ...checks({ ...disposableOnly, tolerates: ['no effect', 'rejection'] }, 'platform.create.malformed-body', {
    'CP-218 POST /v1/trading-accounts with a missing, wrong or unknown field causes no server error (5xx)': async (
      platform,
    ) => {
      await platform.created()
      for (const [what, bodyOf] of wrongFields) {
        const response = await platform.createText(bodyOf(platform.draft()))
        // Whether it is accepted is a question.
        await after(`POST with ${what}`, () =>
          expectStatusKind(response, response.status < 500, 'response.not-client-error'),
        )
      }
    },
  }),
  ...checks(creatingOne, 'platform.create.malformed-body', {
    'CP-215 POST /v1/trading-accounts without the closing brace is rejected with 4xx': rejectsBodies((draft) => [
      accountText(draft).slice(0, -1),
    ]),
  }),
  ...checks({ ...creating, creates: 2 }, 'platform.create.refused-adds-nothing', {
    'CP-214 An account whose POST is rejected for its leverage or currency is not listed': async (platform) => {
      await platform.created()
      for (const changes of [{ leverage: -1 }, { currency: 'Q' }]) {
        const draft = platform.draft()
        const response = await platform.createText(accountText(draft, changes))
        expectNotCreated(await platform.list(), draft, response)
      }
    },
  }),
  ...checks(disposableOnly, 'platform.create.refused-adds-nothing', {
    'CP-212 A rejected POST /v1/trading-accounts adds no account to the list': async (platform) => {
      await platform.created()
      const draft = platform.draft()
      const creation = (changes = {}) => ({ ...post, body: accountText(platform.draft(), changes) })
      const incomplete = ['name', 'currency', 'balance'].map((member) => ({ [member]: undefined }))
      const odd = [
        ...[{ leverage: -1 }, { balance: -1 }, { currency: 'Q' }, { group: 'no-such-group-of-anybody' }],
        ...[{ name: 7 }, { group: 7 }, { leverage: '100' }, { balance: '1' }],
      ]
      await expectRejectedToChangeNothing(platform, [
        ...['{', toJson([draft]), ...invalidBodies(draft).slice(3, 5)].map((body) => ({ ...post, body })),
        ...[...incomplete, ...odd].map(creation),
        { ...creation(), contentType: 'text/plain' },
        { ...creation(), key: null },
        { ...creation(), key: 'not-the-key' },
        { ...creation(), sign: wrongDigits },
      ])
    },
  }),
  ...checks({ ...disposableOnly, tolerates: ['rejection'] }, 'platform.create.refused-adds-nothing', {
    'CP-216 A rejected request with another method or path, one to an unknown path, and any read change no account':
      async (platform) => {
        const account = identityOf(await arrangeAccount(platform))
        await platform.created()
        const body = () => accountText(platform.draft())
        const didMoreThanAdd = await expectRejectedToChangeNothing(platform, [
          ...(['HEAD', 'OPTIONS'] as const).map((method) => ({ method, path: createPath })),
          { method: 'GET', path: `${createPath}?limit=2` },
          { method: 'GET', path: createPath, body: body() },
          ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ method, path: createPath, body: body() })),
          ...[accountPath, `${createPath}/`, `${createPath}/new`, '/trading-accounts', ...unknownPaths].map(
            (path) => ({ method: 'POST', path, body: body() }) as const,
          ),
        ])
        const now = identityOf(expectAccount(await platform.account()))
        // What an accepted request changes is not specified.
        if (didMoreThanAdd) platform.forgetShown()
        else expectEqual('account.changed', now, account)
      },
  }),
]
