import type { Check } from '../engine/check.ts'
import type { Answer } from '../http/answer.ts'
import type { Variation } from '../session/plugin.ts'
import type { Session } from '../session/session.ts'
import { wrongKeys } from '../session/wrong-keys.ts'
import { expectEqual, expectRefused, expectStatus, expectThat, expectUnchanged } from '../vocabulary/expect.ts'

type Operation = (session: Session, variation: Variation) => Promise<Answer>

/** The four documented operations, each with a request that the right key makes succeed. */
const operations = {
  status: ({ plugin }, variation) => plugin.status(variation),
  list: ({ plugin }, variation) => plugin.list(variation),
  add: ({ plugin, rules }, variation) => plugin.add(rules.draft(), variation),
  remove: async ({ plugin, rules }, variation) => {
    const [rule] = await rules.arrange(1)
    return plugin.remove(rule.index, variation)
  },
} as const satisfies Record<string, Operation>

type OperationName = keyof typeof operations

const success: Readonly<Record<OperationName, number>> = { status: 200, list: 200, add: 201, remove: 200 }
const reads: readonly OperationName[] = ['status', 'list']
const writes: readonly OperationName[] = ['add', 'remove']

async function expectAccepted(session: Session, names: readonly OperationName[], variation: Variation): Promise<void> {
  for (const name of names) expectStatus(await operations[name](session, variation), success[name])
}

/** The operation succeeds with the right key, and only then. */
async function expectKeyNeeded(session: Session, name: OperationName, wrong: readonly Variation[]): Promise<void> {
  for (const variation of wrong) {
    if (writes.includes(name)) await expectNothingChanged(session, name, variation)
    else expectStatus(await operations[name](session, variation), 401)
  }
  await expectAccepted(session, [name], {})
}

async function expectNothingChanged(session: Session, name: OperationName, variation: Variation): Promise<void> {
  const { plugin, rules } = session
  const [rule] = await rules.arrange(1)
  const before = await rules.read()
  const answer =
    name === 'add' ? await plugin.add(rules.draft(), variation) : await plugin.remove(rule.index, variation)
  expectStatus(answer, 401)
  expectUnchanged(await rules.read(), before)
}

const withoutKey: Variation = { key: null }
const strangers: readonly Variation[] = [withoutKey, { key: 'not-the-key' }, { key: 'not-the-key', as: 'bearer' }]

const headerChecks = (['x-api-key', 'bearer'] as const).flatMap((as): Check[] => {
  const name = as === 'bearer' ? 'Authorization: Bearer' : 'X-API-Key'
  const [readId, writeId] = as === 'bearer' ? ['CT-703', 'CT-704'] : ['CT-701', 'CT-702']
  return [
    {
      id: readId,
      requirement: `plugin.auth.${as}`,
      title: `the key in ${name} opens the status and the list; without it they are closed`,
      risk: 'read',
      async run(session) {
        await expectAccepted(session, reads, { as })
        expectStatus(await session.plugin.status(withoutKey), 401)
      },
    },
    {
      id: writeId,
      requirement: `plugin.auth.${as}`,
      title: `with the key in ${name} a rule is added and removed`,
      risk: 'write',
      run: (session) => expectAccepted(session, writes, { as }),
    },
  ]
})

const operationChecks = (
  [
    { id: 'CT-711', requirement: 'plugin.auth.status-needs-key', name: 'status', what: 'the status' },
    { id: 'CT-712', requirement: 'plugin.auth.list-needs-key', name: 'list', what: 'the list' },
    { id: 'CT-713', requirement: 'plugin.auth.add-needs-key', name: 'add', what: 'adding a rule' },
    { id: 'CT-714', requirement: 'plugin.auth.delete-needs-key', name: 'remove', what: 'removing a rule' },
  ] as const
).map(
  ({ id, requirement, name, what }): Check => ({
    id,
    requirement,
    title: `${what} without a key and with a wrong one is answered with 401; with the right one it succeeds`,
    risk: reads.includes(name) ? 'read' : 'write',
    run: (session) => expectKeyNeeded(session, name, strangers),
  }),
)

const elsewhere: readonly { readonly id: string; readonly where: string; readonly place: (key: string) => Place }[] = [
  {
    id: 'CT-731',
    where: 'the query string',
    place: (key) => ({
      query: `?${['api_key', 'key', 'apikey', 'X-API-Key', 'token', 'access_token'].map((name) => `${name}=${encodeURIComponent(key)}`).join('&')}`,
    }),
  },
  { id: 'CT-732', where: 'a cookie', place: (key) => ({ headers: { Cookie: `api_key=${key}; X-API-Key=${key}` } }) },
  { id: 'CT-733', where: 'another header', place: (key) => ({ headers: { 'Api-Key': key, 'X-Api-Token': key } }) },
]

interface Place {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const elsewhereChecks = elsewhere.map(
  ({ id, where, place }): Check => ({
    id,
    requirement: 'plugin.auth.only-the-headers',
    title: `the key in ${where} is not accepted; in its header it is`,
    risk: 'read',
    async run({ plugin, key }) {
      const { query = '', headers = {} } = place(key)
      expectRefused(await plugin.send({ method: 'GET', path: `/api/status${query}`, key: null, headers }))
      expectStatus(await plugin.status(), 200)
    },
  }),
)

const schemes: readonly { readonly id: string; readonly what: string; readonly header: (key: string) => string }[] = [
  { id: 'CT-734', what: 'without a scheme', header: (key) => key },
  { id: 'CT-735', what: 'with the scheme Basic', header: (key) => `Basic ${key}` },
  {
    id: 'CT-736',
    what: 'as user or password of Basic',
    header: (key) => `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`,
  },
  { id: 'CT-737', what: 'with the scheme Token', header: (key) => `Token ${key}` },
  { id: 'CT-738', what: 'glued to Bearer', header: (key) => `Bearer${key}` },
]

const schemeChecks = schemes.map(
  ({ id, what, header }): Check => ({
    id,
    requirement: 'plugin.auth.only-bearer',
    title: `the key in Authorization ${what} is not accepted; with Bearer it is`,
    risk: 'read',
    async run({ plugin, key }) {
      expectRefused(await plugin.status({ key: null, headers: { Authorization: header(key) } }))
      expectStatus(await plugin.status({ as: 'bearer' }), 200)
    },
  }),
)

/** Answers on every path that this risk allows, to look through them. */
async function manyAnswers({ plugin, rules, key, mayWrite }: Session): Promise<readonly Answer[]> {
  const answers = [
    await plugin.status(),
    await plugin.list(),
    await plugin.status({ key: null, headers: { Authorization: key } }),
    await plugin.status({ key: `${key}x` }),
    await plugin.send({ method: 'GET', path: '/api/none', as: 'bearer' }),
  ]
  if (!mayWrite) return answers
  return [
    ...answers,
    await plugin.send({ method: 'POST', path: '/api/rules', body: '{' }),
    await plugin.add({ ...rules.draft(), mode: 'lots' }),
    await plugin.remove('abc'),
    await plugin.send({ method: 'PUT', path: '/api/status' }),
    await plugin.send({ method: 'PUT', path: '/api/rules' }),
    await plugin.send({ method: 'PUT', path: '/api/rules/0' }),
    await plugin.add(rules.draft(), { key: `${key}x` }),
    await plugin.add(rules.draft()),
  ]
}

/** Clause 5: the key. */
export const authenticationChecks: readonly Check[] = [
  ...headerChecks,
  {
    id: 'CT-705',
    requirement: 'plugin.auth.both-headers',
    title: 'the right key in both headers at once is accepted',
    risk: 'read',
    async run({ plugin, key }) {
      expectStatus(await plugin.status({ headers: { Authorization: `Bearer ${key}` } }), 200)
    },
  },
  {
    id: 'CT-706',
    requirement: 'plugin.auth.header-name-case',
    title: 'x-api-key, X-API-KEY, authorization and AUTHORIZATION are accepted',
    risk: 'read',
    async run({ plugin, key }) {
      for (const name of ['x-api-key', 'X-API-KEY']) {
        expectStatus(await plugin.status({ key: null, headers: { [name]: key } }), 200)
      }
      for (const name of ['authorization', 'AUTHORIZATION']) {
        expectStatus(await plugin.status({ key: null, headers: { [name]: `Bearer ${key}` } }), 200)
      }
    },
  },
  ...operationChecks,
  {
    id: 'CT-715',
    requirement: 'plugin.auth.list-needs-key',
    title: 'the answer to a list without a key shows no rule',
    risk: 'read',
    async run({ plugin, rules }) {
      const list = await rules.read()
      const answer = await plugin.list(withoutKey)
      const shown = list.find(({ follower }) => answer.text.includes(`${follower}`))
      expectThat(shown === undefined && !answer.text.includes('"rules"'), 'the answer shows rules', {
        expected: 'no rule',
        actual: answer.text,
      })
    },
  },
  {
    id: 'CT-721',
    requirement: 'plugin.auth.whole-key',
    title: 'keys that are a letter shorter, longer or different, or in the other case, are wrong in X-API-Key',
    risk: 'read',
    async run({ plugin, key }) {
      for (const wrong of wrongKeys(key)) expectStatus(await plugin.status({ key: wrong }), 401)
      expectStatus(await plugin.status(), 200)
    },
  },
  {
    id: 'CT-722',
    requirement: 'plugin.auth.whole-key',
    title: 'keys that are a letter shorter, longer or different, or in the other case, are wrong as Bearer',
    risk: 'read',
    async run({ plugin, key }) {
      for (const wrong of wrongKeys(key)) expectStatus(await plugin.status({ key: wrong, as: 'bearer' }), 401)
      expectStatus(await plugin.status({ as: 'bearer' }), 200)
    },
  },
  {
    id: 'CT-723',
    requirement: 'plugin.auth.empty-key',
    title: 'an empty X-API-Key, an empty Bearer and Bearer alone are answered with 401',
    risk: 'read',
    async run({ plugin }) {
      for (const headers of [
        { 'X-API-Key': '' },
        { Authorization: 'Bearer ' },
        { Authorization: 'Bearer' },
        { Authorization: '' },
      ]) {
        expectStatus(await plugin.status({ key: null, headers }), 401)
      }
      expectStatus(await plugin.status(), 200)
    },
  },
  {
    id: 'CT-724',
    requirement: 'plugin.auth.whole-key',
    title: 'keys that are nearly right are wrong for the list, for adding and for removing, and nothing changes',
    risk: 'write',
    async run(session) {
      for (const key of wrongKeys(session.key)) expectStatus(await session.plugin.list({ key }), 401)
      for (const key of [session.key.slice(0, -1), `${session.key}x`]) {
        for (const name of writes) await expectNothingChanged(session, name, { key })
      }
      await expectAccepted(session, ['list', ...writes], {})
    },
  },
  {
    id: 'CT-725',
    requirement: 'plugin.auth.empty-key',
    title: 'an empty key opens neither the list nor adding nor removing',
    risk: 'write',
    async run(session) {
      for (const headers of [{ 'X-API-Key': '' }, { Authorization: 'Bearer ' }]) {
        const variation = { key: null, headers }
        expectStatus(await session.plugin.list(variation), 401)
        for (const name of writes) await expectNothingChanged(session, name, variation)
      }
      await expectAccepted(session, ['list', ...writes], {})
    },
  },
  {
    id: 'CT-707',
    requirement: 'plugin.auth.both-headers',
    title: 'with the right key in both headers the list is read, and a rule is added and removed',
    risk: 'write',
    run: (session) =>
      expectAccepted(session, ['list', ...writes], { headers: { Authorization: `Bearer ${session.key}` } }),
  },
  {
    id: 'CT-740',
    requirement: 'plugin.auth.only-the-headers',
    title: 'with the key in the query string nothing is listed, added or removed',
    risk: 'write',
    async run(session) {
      const { plugin, rules, key } = session
      const [rule] = await rules.arrange(1)
      const before = await rules.read()
      const query = `?api_key=${encodeURIComponent(key)}&key=${encodeURIComponent(key)}`
      const body = JSON.stringify(rules.draft())
      expectRefused(await plugin.send({ method: 'GET', path: `/api/rules${query}`, key: null }))
      expectRefused(await plugin.send({ method: 'POST', path: `/api/rules${query}`, key: null, body }))
      expectRefused(await plugin.send({ method: 'DELETE', path: `/api/rules/${rule.index}${query}`, key: null }))
      expectUnchanged(await rules.read(), before)
      await expectAccepted(session, writes, {})
    },
  },
  ...elsewhereChecks,
  ...schemeChecks,
  {
    id: 'CT-739',
    requirement: 'plugin.auth.only-the-headers',
    title: 'the key in the body of a rule is not accepted, and nothing is added',
    risk: 'write',
    async run({ plugin, rules, key }) {
      const before = await rules.read()
      const body = { ...rules.draft(), api_key: key, 'X-API-Key': key }
      expectRefused(await plugin.add(body, withoutKey))
      expectUnchanged(await rules.read(), before)
    },
  },
  {
    id: 'CT-741',
    requirement: 'plugin.auth.key-from-parameter',
    title: 'after API_Key is changed and the server restarted, the new key opens it and the old one does not',
    risk: 'write',
    needs: ['launch'],
    async run({ launch }) {
      const server = await launch({ apiKey: 'the-first-key-0001' })
      expectStatus(await server.plugin.status(), 200)
      await server.stop()
      await server.configure({ apiKey: 'the-second-key-0002' })
      await server.start()
      expectStatus(await server.withKey('the-second-key-0002').status(), 200)
      expectStatus(await server.plugin.status(), 401)
    },
  },
  {
    id: 'CT-742',
    requirement: 'plugin.auth.key-from-parameter',
    title: 'a key of punctuation that HTTP allows is accepted in both headers',
    risk: 'write',
    needs: ['launch'],
    async run({ launch }) {
      const server = await launch({ apiKey: 'a1-._~+/!#$%&*|^=' })
      expectStatus(await server.plugin.status(), 200)
      expectStatus(await server.plugin.status({ as: 'bearer' }), 200)
    },
  },
  ...disabledChecks(),
  {
    id: 'CT-751',
    requirement: 'plugin.auth.key-not-repeated',
    title: 'no answer contains the key, whether the request was right or wrong',
    risk: 'read',
    async run(session) {
      for (const answer of await manyAnswers(session)) {
        const everything = JSON.stringify(answer.headers) + answer.text
        const spellings = [session.key, Buffer.from(session.key).toString('base64'), encodeURIComponent(session.key)]
        expectThat(!spellings.some((text) => everything.includes(text)), 'an answer contains the key', {
          expected: 'no key',
          actual: answer.text,
        })
      }
    },
  },
]

function disabledChecks(): readonly Check[] {
  const disabled = [
    { id: 'CT-743', requirement: 'plugin.auth.disabled', apiKey: '', what: 'an empty API_Key' },
    { id: 'CT-744', requirement: 'plugin.auth.disabled-by-default', apiKey: null, what: 'no API_Key' },
  ] as const
  return disabled.map(({ id, requirement, apiKey, what }) => ({
    id,
    requirement,
    title: `with ${what} no operation succeeds, without a key, with an empty one or with any`,
    risk: 'write' as const,
    needs: ['launch'] as const,
    async run({ prepare }: Session) {
      const server = await prepare({ apiKey })
      if (!(await server.tryStart())) return
      const draft = server.rules.draft()
      for (const headers of [
        {},
        { 'X-API-Key': '' },
        { Authorization: 'Bearer ' },
        { 'X-API-Key': 'any' },
        { Authorization: 'Bearer any' },
      ]) {
        const variation = { key: null, headers }
        for (const request of [
          () => server.plugin.status(variation),
          () => server.plugin.list(variation),
          () => server.plugin.add(draft, variation),
          () => server.plugin.remove(0, variation),
        ]) {
          const status = await statusOrSilence(request)
          expectThat(status === null || status >= 400, 'a disabled API answers', {
            expected: 'no success',
            actual: status,
          })
        }
      }
    },
  }))
}

/** The status, or null where no answer came: for a disabled API that is as good as a refusal. */
async function statusOrSilence(request: () => Promise<Answer>): Promise<number | null> {
  try {
    return (await request()).status
  } catch (error) {
    expectEqual('the reason', error instanceof Error ? error.name : error, 'NoAnswer')
    return null
  }
}
