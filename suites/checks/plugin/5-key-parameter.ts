import { randomInt } from 'node:crypto'
import { expectStatus, expectThat, expectUnchanged } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { keyHeader } from '../../session/plugin.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'
import { isBearerToken } from '../../session/wrong-keys.ts'
import { observeStatus } from './catalogue/observe.ts'
import { checks, ownServer, writing } from './scopes.ts'

const withParameters = { ...writing, needs: ['restart', 'parameters'] } as const

const credentials = [
  {},
  { 'X-API-Key': '' },
  { Authorization: 'Bearer ' },
  { 'X-API-Key': 'any' },
  { Authorization: 'Bearer any' },
  // Some languages turn a missing key into one of these texts.
  ...['null', 'undefined', 'None'].map((key) => ({ 'X-API-Key': key })),
]

async function expectDisabled(
  { plugin, rules }: Pick<Session, 'plugin' | 'rules'>,
  headers: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  const draft = rules.draft()
  const { status, list, add, remove } = plugin
  for (const overrides of headers.map((given) => ({ key: null, headers: given }))) {
    const requests = [
      () => status(overrides),
      () => list(overrides),
      () => add(draft, overrides),
      // Whether 0 or 1 is the first index is a question.
      () => remove(0, overrides),
      () => remove(1, overrides),
    ]
    for (const request of requests) {
      // A disabled API may close the connection.
      const actual = await observeStatus(request())
      const isRejected = actual === 'closed' || actual >= 400
      expectThat(isRejected, 'request.accepted-while-disabled', { actual, difference: actual })
    }
  }
}

const punctuation = '-._~+/='

/** The key with these characters. In a Bearer token only the end can have equals signs. */
const withMarks = (key: string, marks: string) => `a1${marks.replace('=', '')}${key}${marks.includes('=') ? '=' : ''}`

/** Keys that a server may take for this one when it decodes, trims or searches them. */
const almost = (key: string): Readonly<Record<string, string>> => ({
  'without the equals sign at its end': key.slice(0, -1),
  'with another equals sign at its end': `${key}=`,
  'in the other alphabet of base64': key.replace('+', '-').replace('/', '_'),
  'with a space for the plus': key.replace('+', ' '),
  // In patterns an underscore (SQL) and a dot (regular expressions) match any character.
  'with another character for the underscore': key.replace('_', 'x'),
  'with another character for the dot': key.replace('.', 'x'),
  'without its hyphens and underscores': key.replaceAll(/[-_]/g, ''),
  'with a percent-encoded slash': key.replace('/', '%2F'),
})

async function expectEitherHeader(server: LaunchedServer, key: string, marks: string): Promise<void> {
  for (const [header, as] of Object.entries({ 'X-API-Key': 'x-api-key', Bearer: 'bearer' } as const)) {
    await after(`a start with ${marks} in API_Key (${header})`, async () =>
      expectStatus(await server.withKey(key).plugin.status({ as }), 200),
    )
  }
}

/** Clause 5: the key comes from the parameter API_Key; an empty one disables the API. */
export const keyParameterChecks = [
  ...checks(withParameters, 'plugin.auth.key-from-parameter', {
    'CT-741 After API_Key changes and the server restarts, the new key works and the old key returns 401': async ({
      launch,
      newKey,
      key,
    }) => {
      const [first, second] = [newKey(), newKey()]
      const server = await launch({ apiKey: first, list: 'any' })
      await server.restart({ apiKey: second })
      expectStatus(await server.withKey(second).plugin.status(), 200)
      expectStatus(await server.plugin.status(), 401)
      // A running server has had this one before.
      expectStatus(await server.withKey(key).plugin.status(), 401)
    },
    'CT-742 GET /api/status accepts a key with all punctuation that a Bearer token can have, in either header': async ({
      launch,
      newKey,
    }) => {
      const all = withMarks(newKey(), punctuation)
      const server = await launch({ apiKey: all, list: 'any' })
      try {
        await expectEitherHeader(server, all, 'all punctuation')
      } catch (failure) {
        // Which character is wrong shows only in a key without the others.
        for (const mark of punctuation) {
          const key = withMarks(newKey(), mark)
          await server.restart({ apiKey: key })
          await expectEitherHeader(server, key, mark)
        }
        throw failure
      }
    },
  }),
  ...checks({ ...withParameters, tolerates: ['rejection', 'end of connection'] }, 'plugin.auth.whole-key', {
    'CT-747 GET /api/status rejects a key that differs from API_Key only in punctuation, a leading zero or a missing end':
      async ({ launch, newKey }) => {
        const key = withMarks(newKey(), punctuation)
        const server = await launch({ apiKey: key, list: 'any' })
        for (const [what, wrong] of Object.entries(almost(key))) {
          await after(`the key ${what}`, async () => {
            expectStatus(await server.plugin.status({ key: wrong }), 401)
            if (isBearerToken(wrong)) expectStatus(await server.plugin.status({ key: wrong, as: 'bearer' }), 401)
          })
        }
        // Not made from the key of the run, which it would disclose: records show it.
        const digits = String(randomInt(10 ** 11, 10 ** 12))
        await server.restart({ apiKey: `0${digits}` })
        expectStatus(await server.plugin.status({ key: digits }), 401)
        // A server need not start with a key of this length, or accept it.
        const long = newKey().padEnd(130, 'xy')
        await server.stop()
        await server.configure({ apiKey: long })
        if (!(await server.tryStart())) return
        if ((await observeStatus(server.plugin.status({ key: long }))) !== 200) return
        // Equal to the key in a buffer of any length.
        await after('the first 129 characters of a key of 130', async () =>
          expectStatus(await server.plugin.status({ key: long.slice(0, 129) }), 401),
        )
      },
  }),
  ...checks(ownServer, 'plugin.auth.disabled', {
    'CT-743 Every operation fails with any key, an empty key or no key when API_Key is empty or missing': async ({
      prepare,
    }) => {
      for (const apiKey of ['', null]) {
        const server = await prepare({ apiKey })
        const what = apiKey === null ? 'a start without API_Key' : 'a start with an empty API_Key'
        if (await server.tryStart()) await after(what, () => expectDisabled(server, credentials))
      }
    },
    'CT-745 An earlier key stops working when API_Key is emptied and when another key is set afterwards': async ({
      launch,
      newKey,
    }) => {
      const [first, second] = [newKey(), newKey()]
      const server = await launch({ apiKey: first })
      // A server may behave differently once it has a rules file.
      await server.rules.arrange(1)
      await server.stop()
      await server.configure({ apiKey: '' })
      const earlier = [keyHeader(first), keyHeader(first, 'bearer')]
      if (await server.tryStart()) await expectDisabled(server, [...earlier, {}])
      await server.restart({ apiKey: second })
      expectStatus(await server.withKey(second).plugin.list(), 200)
      for (const headers of earlier) expectStatus(await server.plugin.list({ key: null, headers }), 401)
    },
  }),
  ...checks(ownServer, 'plugin.persist.list', {
    'CT-746 The list is the same after a start without a key, and after one with another key': async ({
      launch,
      newKey,
    }) => {
      const [apiKey, other] = [newKey(), newKey()]
      const server = await launch({ apiKey })
      await server.rules.arrange(2)
      const before = await server.rules.read()
      await server.stop()
      await server.configure({ apiKey: '' })
      await server.tryStart()
      await server.restart({ apiKey })
      expectUnchanged(await server.rules.read(), before, 'list.changed-after-restart')
      await server.restart({ apiKey: other })
      await after('a start with another API_Key', async () =>
        expectUnchanged(await server.withKey(other).rules.read(), before, 'list.changed-after-restart'),
      )
    },
  }),
]
