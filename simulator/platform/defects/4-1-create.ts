import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isLosslessNumber } from 'lossless-json'
import { after, catching } from '../../defect-parts/events.ts'
import { correctsBody, rejectsBody, withClosingBrace } from '../../defect-parts/json-body.ts'
import { fail, reject, textOf, withHeader, withStatus, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { TradingAccount } from '../model/trading-account.ts'
import { masked, maskedRows, type PlatformDefect, rows } from './defect.ts'
import { withDelayedCreation, withoutBody, withoutList } from './masks.ts'
import { argument, on, responds, result, returnsAccount } from './overrides.ts'

const isCreated = (status: number, { method }: IncomingMessage) => method === 'POST' && status < 300

const isReadWithBody = (method: string, { 'content-length': length = '0' }: IncomingHttpHeaders) =>
  method === 'GET' && length !== '0'

const ghost: Omit<TradingAccount, 'id'> = {
  name: 'Unnamed',
  group: 'demo',
  leverage: 100,
  currency: 'USD',
  balance: 0,
  createdAt: '2025-03-04T09:30:15.250Z',
}

/** A server that adds an account whenever `wrong` calls `add`. */
function addsOn(
  wrong: (hooks: PlatformHooks, add: (name?: string) => void) => Partial<PlatformHooks>,
): PlatformOverride {
  return (hooks) => {
    const made: TradingAccount[] = []
    const add = (name = ghost.name) => void made.push({ ...ghost, name, id: `ta_${made.length}` })
    return {
      ...wrong(hooks, add),
      listedAccounts: (accounts, query) => hooks.listedAccounts([...accounts, ...made], query),
    }
  }
}

/** A server that stores an account before this step validates the request. */
function storesBefore(reader: 'parseJson' | 'readBalance' | 'readCurrency'): PlatformOverride {
  return addsOn((hooks, add) => {
    const read: (input: never) => unknown = hooks[reader]
    let { name } = ghost
    return {
      readName: (value) => {
        name = hooks.readName(value)
        return name
      },
      [reader]: catching(read, (error) => {
        add(reader === 'parseJson' ? undefined : name)
        throw error
      }),
    }
  })
}

/** Clause 4.1: which creations are valid, and the response to them. */
export const creationDefects: readonly PlatformDefect[] = [
  ...rows('platform.create.accepted', {
    'platform.create.numeric-leverage-rejected leverage as a number is rejected; a string is expected.': argument(
      'readLeverage',
    )((value) => (isLosslessNumber(value) ? reject(400, 'leverage must be a string.') : value)),
    'platform.create.returns-400-but-creates A creation returns 400, but adds the account.': () =>
      responds(isCreated, withStatus(400)),
  }),
  ...rows('platform.create.every-time', {
    'platform.create.one-account-per-group A second account in the same group is rejected.': argument(
      'judgeRepetition',
      1,
    )((accounts, [{ group }]) =>
      accounts.some((account) => account.group === group)
        ? reject(409, 'There is an account in this group already.')
        : accounts,
    ),
  }),
  ...rows('platform.create.balance-with-fraction', {
    'platform.create.fractional-balance-rejected A balance with a fraction is rejected.': result('readBalance')(
      (balance) => (Number.isInteger(balance) ? balance : reject(400, 'balance must be an integer.')),
    ),
  }),
  ...rows('platform.create.json', {
    'platform.create.plain-text-labelled-as-json The response to a creation is labelled as JSON, but is plain text.':
      responds(isCreated, (response) => withText(response, 'Created', 'application/json')),
  }),
  ...maskedRows(withoutBody, 'platform.create.json', {
    'platform.create.response-length-in-characters The length of the response to a creation counts characters, so letters of several bytes cut its end.':
      responds(isCreated, (response) => ({ ...response, body: response.body?.subarray(0, textOf(response).length) })),
  }),
  ...maskedRows(withoutBody, 'platform.create.content-type', {
    'platform.create.labelled-as-html The response to a creation has Content-Type text/html.': responds(
      isCreated,
      (response) => (response.body === undefined ? response : withHeader('Content-Type', 'text/html')(response)),
    ),
  }),
  ...rows('platform.create.any-json-form', rejectsBody, {
    'platform.create.name-required-first A body that does not begin with name is rejected.': (text) =>
      /^\s*\{\s*"(?!name")[a-z]+"/.test(text),
    'platform.create.escapes-rejected A body with an escape like \\u0041 is rejected.': (text) => /\\u/i.test(text),
    'platform.create.long-body-rejected A body of more than 1,024 characters is rejected.': (text) =>
      text.length > 1024,
    'platform.create.exponent-rejected A body with a number like 1e4 is rejected.': (text) =>
      /: *[\d.]+e\d/i.test(text),
  }),
  ...rows('platform.create.any-json-form', {
    'platform.create.upper-case-type-rejected A Content-Type with capital letters is rejected.': masked({
      'platform.create.content-type-wrong': 'accepted',
    })(argument('judgeContentType')((type) => (type === type?.toLowerCase() ? type : 'application/x-other'))),
    'platform.create.escaped-slash-kept The escape \\/ leaves a backslash in the name.': masked(withDelayedCreation)(
      correctsBody((text) => text.replaceAll('\\/', '\\\\/')),
    ),
    'platform.create.exponent-ignored The exponent of a balance is ignored.': masked(withoutList)(
      correctsBody((text) => text.replace(/(\d)e\+?4/i, '$1')),
    ),
    'platform.create.charset-rejected A Content-Type with a charset is rejected.': result('judgeContentType')(
      (right, [type]) =>
        type?.includes(';') ? new ErrorResponse(415, 'The Content-Type must be application/json.') : right,
    ),
  }),
  ...maskedRows(withoutList, 'platform.create.refused-adds-nothing', {
    'platform.create.put-adds-account PUT returns an error, but adds an account.': addsOn(on('methodNotAllowed')),
    'platform.list.query-adds-account GET of the list with a query string adds an account.': () =>
      addsOn(on('splitTarget', (target) => target.includes('accounts?'))),
    'platform.create.get-with-body-adds-account GET of the list with a body adds an account.': addsOn(
      on('asksForKey', ({ method, path, headers }) => isReadWithBody(method, headers) && path.includes('accounts')),
    ),
    'platform.create.longer-path-creates A path that begins with /v1/trading-accounts is taken for it.': result(
      'splitTarget',
    )(({ path, ...target }) => ({ ...target, path: path.replace(/(\/trading-accounts)\w+$/, '$1') })),
    'platform.create.any-version-creates A POST below any version creates an account.': result('isVersion')(
      (isVersion, [segment], { received }) => isVersion || (received?.method === 'POST' && /^v\d+$/.test(segment)),
    ),
    'platform.create.unknown-path-adds-account POST to an unknown path returns 404, but adds an account.': () =>
      addsOn(on('unknownEndpoint')),
    // The search for the list elsewhere has already sent a method that is not allowed.
    'platform.account.renamed-by-rejected-method A method that is not allowed renames the account.': masked(
      (['accounts', 'trading-accounts-list', 'none'] as const).map((path) => ({
        answers: { 'platform.list.path': path },
      })),
    )(
      after(
        on('methodNotAllowed'),
        returnsAccount(() => ({ name: 'Renamed' })),
      ),
    ),
    'platform.create.stored-before-parsing An account is created before its body is parsed, and stays if the body is not JSON.':
      storesBefore('parseJson'),
    'platform.create.stored-before-currency-is-read An account is created before its currency is read, and stays if that is wrong.':
      masked([
        ...withoutList,
        { answers: { 'platform.create.missing-currency': 'accepted', 'platform.create.currency-symbol': 'accepted' } },
      ])(storesBefore('readCurrency')),
    'platform.create.stored-before-balance-is-read An account is created before its balance is read, and stays if that is missing.':
      masked(withoutList)(storesBefore('readBalance')),
  }),
  ...rows('platform.create.malformed-body', {
    'platform.create.missing-closing-brace-accepted A body without its closing brace is accepted.':
      correctsBody(withClosingBrace),
    'platform.create.invalid-json-returns-500 Invalid JSON returns 500.': ({ parseJson }) => ({
      parseJson: catching(parseJson, fail),
    }),
    'platform.create.empty-body-returns-500 An empty body returns 500.': () =>
      argument('parseJson')((text) => (text === '' ? fail() : text)),
    'platform.create.first-of-array-created Of a list of accounts the first is created.': () =>
      argument('membersOf')((value) => (Array.isArray(value) ? value[0] : value)),
    'platform.create.wrong-leverage-returns-500 A leverage that is rejected returns 500.': ({ readLeverage }) => ({
      readLeverage: catching(readLeverage, fail),
    }),
    'platform.create.null-returns-500 A body that is not an object returns 500.': ({ membersOf }) => ({
      membersOf: catching(membersOf, fail),
    }),
  }),
]
