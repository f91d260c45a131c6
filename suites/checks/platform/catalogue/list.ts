import { OutOfScope } from '../../../assertions/failure.ts'
import { isObject } from '../../../client/json.ts'
import { rejectAtLimit } from '../../../session/account.ts'
import { listIn, listPaths } from '../../../session/account-list.ts'
import { expectSuccess, listedSample } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { creatingOne, reading, sampling } from '../scopes.ts'
import { getWithQuery, observing } from './row.ts'

const pathAnswers: Readonly<Record<string, string>> = {
  [listPaths[0]]: 'trading-accounts',
  [listPaths[1]]: 'trading-accounts-list',
  [listPaths[2]]: 'accounts',
}

/** Clause 4.1: what the specification leaves open about the list of accounts. */
export const listObservations = [
  ...observing(reading, {
    'CPQ-201 GET of the known list paths shows where trading accounts are listed': {
      point: 'list.path',
      async observe(platform) {
        const path = await platform.listPath()
        if (path === null) return { answer: 'none', seen: '' }
        return { answer: pathAnswers[path] ?? null, seen: `GET ${path}` }
      },
    },
    'CPQ-202 The list of trading accounts shows the format of the envelope': {
      point: 'list.envelope',
      async observe(platform) {
        const { response } = await platform.list()
        const { json } = response
        const seen = response.text.slice(0, 40)
        if (Array.isArray(json)) return { answer: 'array', seen }
        if (!isObject(json)) return { answer: null, seen }
        if (Array.isArray(json.data)) return { answer: 'data', seen }
        if (Array.isArray(json.trading_accounts)) return { answer: 'named', seen }
        const isNested = isObject(json.data) && Array.isArray(json.data.trading_accounts)
        return { answer: isNested ? 'nested' : null, seen }
      },
    },
    'CPQ-205 The list of trading accounts with ?limit=1 shows whether the limit is honoured': {
      point: 'list.limit',
      async observe(platform) {
        const whole = await fullList(platform)
        const response = await getWithQuery(platform, (await platform.listPath()) ?? '', 'limit=1')
        const limited = listIn(response)?.accounts
        if (limited === undefined) return { answer: null, seen: `status ${response.status}` }
        const seen = `${limited.length} of ${whole}`
        return { answer: limited.length === 1 ? 'honoured' : limited.length === whole ? 'ignored' : null, seen }
      },
    },
  }),
  ...observing(creatingOne, {
    'CPQ-203 The list of trading accounts shows whether the newest account is first or last': {
      point: 'list.order',
      async observe(platform) {
        await platform.created()
        const draft = platform.draft()
        const response = await platform.create(draft)
        rejectAtLimit(response)
        expectSuccess(response)
        const { accounts } = await platform.list()
        const names = accounts.map(({ name }) => name)
        const seen = `${names.indexOf(draft.name) + 1} of ${names.length}`
        if (names.length < 2) return { answer: null, seen }
        if (names.at(-1) === draft.name) return { answer: 'oldest-first', seen }
        return { answer: names[0] === draft.name ? 'newest-first' : null, seen }
      },
    },
  }),
  ...observing(sampling, {
    'CPQ-204 The list of trading accounts shows which fields an account has': {
      point: 'list.fields',
      async observe(platform) {
        const { draft } = await platform.created()
        const members = Object.keys((await listedSample(platform)).account)
        const seen = members.join(', ')
        const sent = Object.keys(draft)
        const has = (fields: readonly string[]) => fields.every((field) => members.includes(field))
        if (!has(['name', 'balance', 'currency'])) return { answer: null, seen }
        if (members.length === 3) return { answer: 'known', seen }
        if (!has(sent)) return { answer: null, seen }
        return { answer: members.length === sent.length ? 'creation-fields' : 'more', seen }
      },
    },
  }),
]

/** The number of accounts, at least two. If the kit started the platform, missing accounts are created. */
async function fullList(platform: PlatformSession): Promise<number> {
  const { length } = (await platform.list()).accounts
  if (length > 1) return length
  if (!platform.mayTryAnything) throw new OutOfScope(`the list is too short to be limited: ${length}`)
  for (const _ of [1, 2]) await platform.create(platform.draft())
  return (await platform.list()).accounts.length
}
