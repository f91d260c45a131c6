import { expectErrorResponse, expectStatus, expectUnchanged } from '../assertions/expect.ts'
import type { HttpResponse } from '../client/response.ts'
import type { Rule } from '../model/rule.ts'
import type { RequestOverrides } from './plugin.ts'
import { requireSuccess } from './rules.ts'
import type { Session } from './session.ts'

/** `rule` is the one that a removal removes. */
type Operation = (session: Session, overrides: RequestOverrides, rule?: Rule) => Promise<HttpResponse>

/** The four documented operations, each with a request that succeeds with the right key. */
export const operations: Readonly<Record<'status' | 'list' | 'add' | 'remove', Operation>> = {
  status: ({ plugin }, overrides) => plugin.status(overrides),
  list: ({ plugin }, overrides) => plugin.list(overrides),
  add: ({ plugin, rules }, overrides) => plugin.add(rules.draft(), overrides),
  remove: ({ plugin }, overrides, rule) => plugin.remove((rule as Rule).index, overrides),
}

export type OperationName = keyof typeof operations

export const reads: readonly ('status' | 'list')[] = ['status', 'list']
export const writes: readonly OperationName[] = ['add', 'remove']

/** Sends the operation with the right key, for checks that judge a successful response. */
export async function succeed(session: Session, name: 'status' | 'list'): Promise<HttpResponse> {
  const response = await operations[name](session, {})
  requireSuccess(`the operation ${name}`, response)
  return response
}

export async function expectAccepted(session: Session, names: typeof reads, overrides: RequestOverrides) {
  for (const name of names) expectStatus(await operations[name](session, overrides), 200)
}

export async function expectKeyNeeded(session: Session, name: OperationName, wrong: readonly RequestOverrides[]) {
  const [rule] = writes.includes(name) ? await session.rules.arrange(1) : []
  if (rule !== undefined) await expectNothingChanged(session, name, wrong, rule)
  else for (const overrides of wrong) expectStatus(await operations[name](session, overrides), 401)
  await expectSpelledPathsRejected(session, name, rule)
  expectStatus(await operations[name](session, {}, rule), name === 'add' ? 201 : 200)
}

/** Spellings of a path that a server may read as the same path or as an unknown one. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `${path}?x=1`,
  (path) => `${path}?`,
  (path) => path.replace('/api', '/%61pi'),
  (path) => path.replace(/(?<=\/api\/)./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/', '/api//'),
  (path) => `${path}/`,
]

/** Expects that without the key no spelling of the path succeeds, and a change leaves the list of its rule unchanged. */
async function expectSpelledPathsRejected(session: Session, name: OperationName, rule?: Rule): Promise<void> {
  const { rules } = session
  const before = rule && (await rules.read())
  for (const spell of spellings) {
    for (const key of [null, 'not-the-key']) {
      const response = await operations[name](session, { key, spell }, rule)
      const isOfApi = response.json !== undefined || response.exchange.request.url.includes('/api/')
      // Redirects are allowed, and so is a website at another path.
      if (response.status < 300 && isOfApi) expectErrorResponse(response)
    }
  }
  if (before !== undefined) expectUnchanged(await rules.read(), before)
}

/** Expects that with each of these keys the operation is rejected with 401 and leaves the list unchanged. */
export async function expectNothingChanged(
  session: Session,
  name: OperationName,
  wrong: readonly RequestOverrides[],
  rule: Rule,
): Promise<void> {
  const { rules } = session
  const before = await rules.read()
  for (const overrides of wrong) {
    expectStatus(await operations[name](session, overrides, rule), 401)
    expectUnchanged(await rules.read(), before)
  }
}

export const withoutKey: RequestOverrides = { key: null }

const wrong = 'not-the-key'
const basic = Buffer.from(`${wrong}:${wrong}`).toString('base64')

/** Any client can send these headers of proxies, browsers and Kubernetes, so none may grant access. */
const local = '127.0.0.1'
const trustedHeaders = {
  'X-Forwarded-For': local,
  'X-Real-IP': local,
  'X-Client-IP': local,
  'X-Originating-IP': local,
  Forwarded: `for=${local}`,
  'X-Internal': 'true',
  'Access-Control-Request-Method': 'GET',
  'User-Agent': 'kube-probe/1.30',
}

/** All ways in which a request can lack the right key. `null`: the header is not sent. */
export const unauthenticated: readonly RequestOverrides[] = [
  ...[null, '', ' ', wrong].flatMap((apiKey) =>
    [null, '', 'Bearer', `Bearer ${wrong}`, `Basic ${basic}`, wrong].map((authorization) => ({
      key: null,
      headers: {
        ...(apiKey !== null && { 'X-API-Key': apiKey }),
        ...(authorization !== null && { Authorization: authorization }),
      },
    })),
  ),
  { key: null, headers: trustedHeaders },
]
