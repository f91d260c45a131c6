import { isLosslessNumber } from 'lossless-json'
import { combine } from '../../defect-parts/combine.ts'
import { neverAnswered, neverContinues, serverOf, waitsForConnections } from '../../defect-parts/connections.ts'
import { after, catching, losing } from '../../defect-parts/events.ts'
import { correctsBody, overflowsStack, ownMember } from '../../defect-parts/json-body.ts'
import { is, reject, textBecomes, textOf, withHeader } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import { masked, maskedRows, type PlatformDefect, rows } from './defect.ts'
import { withoutList, withStrictMembers } from './masks.ts'
import { argument, instead, on, type Right, responds } from './overrides.ts'

const deepNesting = /[[{]{1000}|(?:\{"[^"]*":){1000}/

/** A server that stores a balance beyond the range of a double as Infinity, which JSON writes as null. */
const overflowing = instead('readBalance', ({ readBalance }, value) =>
  isLosslessNumber(value) && Number(value.value) === Number.POSITIVE_INFINITY
    ? Number.POSITIVE_INFINITY
    : readBalance(value),
)

/** The account that a server creates from default values. */
const defaultAccount = '{"name":"Unnamed","group":"demo","leverage":100,"currency":"USD","balance":1000}'

/** What any server should withstand. */
export const robustnessDefects: readonly PlatformDefect[] = [
  ...rows('platform.robust.survives', {
    'platform.robust.crashes-on-invalid-json Invalid JSON crashes the server.': losing(({ parseJson }, die) => ({
      parseJson: catching(parseJson, (error) => {
        die()
        throw error
      }),
    })),
    'platform.robust.crashes-on-tls The first bytes of a TLS connection crash the server.': () =>
      losing(on('unparsable', (_, code) => code === 'HPE_INVALID_METHOD')),
    'platform.robust.account-lost-after-truncated-body After a body that ends too early, GET /v1/account returns 500.':
      after(
        on('parseJson', (text) => text.startsWith('{') && !text.endsWith('}')),
        () => ({ accountBody: () => reject(500, 'The account is missing.') }),
      ),
    'platform.robust.parser-keeps-rest-of-body The rest of an invalid body is prepended to the next body.': (hooks) => {
      let rest = ''
      return {
        parseJson: (text) => {
          const whole = rest + text
          rest = rest === '' ? text.slice(0, 1) : ''
          const value = hooks.parseJson(whole)
          rest = ''
          return value
        },
      }
    },
    'platform.robust.crashes-on-deep-json Deeply nested JSON overflows the stack and crashes the server.':
      losing<PlatformHooks>(overflowsStack((text) => deepNesting.test(text.replace(/\s/g, '')))),
    'platform.robust.invalid-utf8-breaks-decoder After a body that is not UTF-8 no body can be decoded.': after(
      on('decodeText', (bytes) => Buffer.from(bytes).toString('utf8').includes('\uFFFD')),
      ({ decodeText }) => ({ decodeText: () => decodeText(new Uint8Array([0xff])) }),
    ),
    'platform.robust.crashes-on-large-body A body of several MiB uses the memory that later requests need.': () =>
      losing((hooks, die) => ({
        ...on('asksForKey', ({ headers }) => Number(headers['content-length']) > 3_000_000)(hooks, die),
        ...on('oversized')(hooks, die),
      })),
    'platform.robust.end-of-large-body-replaced Members at the end of a large body are replaced by default values.':
      combine<PlatformHooks>([
        () => ({ bodyLimitBytes: Number.POSITIVE_INFINITY }),
        correctsBody((text) => (text.length > 3_000_000 ? defaultAccount : text)),
      ]),
    'platform.robust.crashes-on-truncated-body A connection that closes within a body crashes the server.': () =>
      losing(on('partialBody')),
    'platform.robust.truncated-body-creates-default-account A truncated body creates an account with default values.':
      masked([...withoutList, { answers: { 'platform.signing.check': 'required' } }])(() => ({
        partialBody: () => Buffer.from(defaultAccount),
      })),
    'platform.robust.crashes-on-long-header Header fields that are too large crash the server.': () =>
      losing(on('unparsable', (problem) => problem === 'headers-too-large')),
    'platform.robust.crashes-on-long-path A path of thousands of characters crashes the server.': () =>
      losing(on('splitTarget', (target) => target.length > 4000)),
    'platform.robust.long-path-cut Only the first eleven characters of a long path are compared.': () =>
      argument('splitTarget')((target) => (target.length > 4000 ? target.slice(0, 11) : target)),
    'platform.robust.deep-json-hangs Deeply nested JSON is never answered.': () =>
      responds(
        (status, { method }) => method === 'POST' && status >= 400,
        (response, request) =>
          textOf(response).includes('nested deeper') ? neverAnswered(response, request) : response,
      ),
    'platform.robust.long-header-hangs Header fields of more than 16 KiB are never answered.': () =>
      responds(
        () => true,
        (response, request) => {
          // Node.js rejects such fields by default. The new limit applies to later connections, so each one is closed.
          Object.assign(serverOf(request), { maxHeaderSize: 2 ** 17 })
          const isLong = request.rawHeaders.join('').length > 2 ** 14
          return isLong ? neverAnswered(response, request) : withHeader('Connection', 'close')(response)
        },
      ),
    'platform.robust.long-path-hangs A path of thousands of characters is never answered.': () =>
      responds((_, { url = '' }) => url.length > 4000, neverAnswered),
  }),
  ...rows('platform.robust.answers', {
    'platform.robust.incomplete-requests-block-all Each of eight workers waits for the rest of an incomplete request, and without a free one all clients wait.':
      waitsForConnections(8, 'request'),
    'platform.robust.continue-never-sent A request with Expect: 100-continue waits for its body and gets no response before it.':
      neverContinues,
    'platform.robust.large-body-hangs A body of more than 1 MiB is never answered.': masked([
      { answers: { 'platform.create.size-limit': 'closed' } },
    ])(responds((_, { headers }) => Number(headers['content-length']) > 2 ** 20, neverAnswered)),
  }),
  ...maskedRows(withStrictMembers, 'platform.robust.prototype-member', {
    'platform.robust.missing-fields-from-prototype Missing fields are read from the member __proto__.': (hooks) => ({
      fieldOf: (members, field) => {
        const prototype = ownMember(members, '__proto__') as Members | undefined
        return hooks.fieldOf(members, field) ?? (Object(prototype) === prototype ? prototype?.[field] : undefined)
      },
    }),
    'platform.robust.prototype-polluted The members of __proto__ become members of every later body.': (hooks) => {
      const polluted = new Map<string, unknown>()
      return {
        fieldOf: (members, field) => {
          const value = polluted.get(field) ?? hooks.fieldOf(members, field)
          for (const [name, of] of Object.entries(Object(ownMember(members, '__proto__')))) polluted.set(name, of)
          return value
        },
      }
    },
  }),
  ...maskedRows(withoutList, 'platform.robust.overflowing-number', {
    'platform.robust.infinite-balance A balance beyond the range of a double is stored and listed as Infinity.': () =>
      combine<Right>([
        overflowing,
        responds(
          is(200, 'GET'),
          textBecomes((text) => text.replaceAll('"balance":null', '"balance":Infinity')),
        ),
      ]),
    'platform.robust.overflow-listed-as-null A balance beyond the range of a double is stored as Infinity and listed as null.':
      overflowing,
  }),
]
