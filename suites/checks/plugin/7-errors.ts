import { expectJsonType, expectObject, expectThat, expectUnchanged, malformedErrorIn } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import { type HttpResponse, isSuccess } from '../../client/response.ts'
import { malformed } from '../../session/malformed-requests.ts'
import { describeRequest, mayChangeList } from '../../session/no-op-requests.ts'
import { reads, succeed } from '../../session/operations.ts'
import { type PluginRequest, toJson } from '../../session/plugin.ts'
import { get, responseTo } from '../../session/raw-request.ts'
import { withoutDirection } from '../../session/rejected-bodies.ts'
import { rulesIn } from '../../session/rules.ts'
import type { Session, SharedExchange } from '../../session/session.ts'
import {
  additionAndRemoval,
  judgeChanges,
  sendOnce,
  sharesWrites,
  writesToReject,
} from '../../session/shared-requests.ts'
import { checks, exclusive, judgingResponses, reading, writing } from './scopes.ts'

const readsToReject: readonly PluginRequest[] = [
  ...['/api/status', '/api/rules', '/api/unknown'].flatMap((path): readonly PluginRequest[] => [
    { method: 'GET', path, key: null },
    { method: 'GET', path, key: 'not-the-key' },
    { method: 'GET', path, key: 'not-the-key', as: 'bearer' },
    { method: 'GET', path: `${path}/x/y` },
  ]),
  { method: 'GET', path: '/api/rules/0' },
  { method: 'GET', path: '/api/a%22b%5C%0A' },
  { method: 'GET', path: '/api/%25p%25p%25p%25p' },
  { method: 'GET', path: '/api' },
]

/** One malformed request for each kind of parser error. The checks of malformed HTTP send the others. */
const parserErrors = [...malformed.lengths.slice(0, 2), ...malformed.headers.slice(0, 4), ...malformed.requestLines]

const internals = {
  'a path': /(?<![\w/.])\/(?:home|usr|var|opt|tmp|etc|root|srv|mnt|proc|Users)\/\w/,
  'the rules file': /[\\/]ServiceCopyTrade_rules\.dat/,
  'a path of Windows': /\b[A-Z]:[\\/]+\w/i,
  'a line of source code': /\.(?:c|cc|cpp|h|hpp|cs|go|java|js|mjs|ts|php|py|rb|rs)\W+(?:(?:on )?line )?\d/,
  // As printf writes it. A number of up to 32 bits is rather a code, such as an HRESULT.
  'a pointer': /\b0x[\da-f]{9,}|\(nil\)/i,
}

/** The body may have other members, and whether it is JSON is judged by other checks. */
export function expectNoInternals(response: HttpResponse): void {
  const { error } = (response.json ?? {}) as { readonly error?: unknown }
  // A server may repeat the path of the request, which begins with that of the target.
  const [base = ''] = new URL(response.exchange.request.url).pathname.split(/\/(?:api\b|$)/)
  const text = String(error).replaceAll(base, '')
  for (const [what, pattern] of Object.entries(internals)) {
    expectThat(!pattern.test(text), 'error.shows-internals', { difference: what, response })
  }
}

function expectDescription(response: HttpResponse): void {
  const { error } = expectObject(response)
  expectThat(typeof error === 'string' && error.trim() !== '', 'error.text-empty', { actual: error, response })
}

function expectErrorForm(response: HttpResponse): void {
  const failed = malformedErrorIn(response)
  if (failed !== null) throw failed
}

type Judge = (response: HttpResponse) => void

const inErrors =
  (send: (session: Session) => AsyncIterable<SharedExchange>) => (expectPart: Judge) => async (session: Session) => {
    for await (const { response } of send(session)) {
      // The response to HEAD has no body.
      if (response.status >= 400 && response.exchange.request.method !== 'HEAD') expectPart(response)
    }
  }

const inErrorsToReads = inErrors((session) => sendOnce(session, 'reads to reject', false, () => readsToReject))
const inErrorsToWrites = inErrors((session) => writesToReject(session))

const rejecting = { ...writing, tolerates: ['rejection'], ...sharesWrites } as const

/** Clauses 4.2 and 7: the format of every error response, and the media type of every response. */
export const errorChecks = [
  ...checks({ ...reading, concludes: true }, 'plugin.errors.every', {
    'CT-871 Error responses to GET, and all others of the run, are JSON objects { error: string }': async (session) => {
      await inErrorsToReads(expectErrorForm)(session)
      session.throwSeen('malformedError')
    },
  }),
  ...checks(rejecting, 'plugin.errors.every', {
    'CT-872 Every error response to a wrong body, method, path, index or key is a JSON object { error: string }':
      inErrorsToWrites(expectErrorForm),
  }),
  ...checks({ ...exclusive, concludes: true, tolerates: ['rejection', 'end of connection'] }, 'plugin.errors.every', {
    'CT-873 Every error response of the run is a JSON object { error: string }, after malformed HTTP as well': async (
      session,
    ) => {
      const incomplete = toJson(withoutDirection(session.rules.draft()))
      for (const { bytes } of parserErrors) {
        await session.raw({ bytes: bytes(session, incomplete), responses: 1, endAfter: true })
      }
      // A server that reads it as index 0 removes a foreign rule.
      await session.plugin.remove('')
      session.throwSeen('malformedError')
    },
  }),
  ...checks(reading, 'plugin.errors.description', {
    'CT-841 Error responses to GET have a non-empty error text': inErrorsToReads(expectDescription),
  }),
  ...checks(rejecting, 'plugin.errors.description', {
    'CT-842 Error responses to a wrong body, method, path, index or key have a non-empty error text':
      inErrorsToWrites(expectDescription),
  }),
  ...checks(reading, 'plugin.json.content-type', {
    'CT-843 Error responses to GET have Content-Type application/json': inErrorsToReads(expectJsonType),
    'CT-308 GET /api/status and GET /api/rules respond with Content-Type application/json': async (session) => {
      for (const name of reads) expectJsonType(await succeed(session, name))
    },
  }),
  ...checks({ ...reading, concludes: true }, 'plugin.json.content-type', {
    'CT-309 Every successful response of the run has Content-Type application/json': async (session) => {
      await succeed(session, 'list')
      session.throwSeen('wrongMediaType')
    },
  }),
  ...checks(rejecting, 'plugin.json.content-type', {
    'CT-844 Error responses to a wrong body, method, path, index or key have Content-Type application/json':
      inErrorsToWrites(expectJsonType),
  }),
  ...checks(reading, 'plugin.errors.no-internals', {
    'CT-845 Error responses to GET have no path of a file and no address in memory': inErrorsToReads(expectNoInternals),
    'CT-847 The error response to GET of a path with %p shows no address in memory': async (session) => {
      // The URL is not valid, so a proxy may reject it in its own way.
      const response = await responseTo(session, get(session, '/api/%p%p%p%p'))
      if (response !== undefined) expectNoInternals(response)
    },
  }),
  ...checks(rejecting, 'plugin.errors.no-internals', {
    'CT-846 Error responses to a wrong body, method, path, index or key have no path of a file and no address in memory':
      inErrorsToWrites(expectNoInternals),
  }),
  ...checks({ ...judgingResponses, shares: additionAndRemoval.shares }, 'plugin.json.content-type', {
    'CT-503 POST and DELETE of a rule respond with Content-Type application/json': judgeChanges(
      additionAndRemoval,
      ({ response }) => {
        if (isSuccess(response)) expectJsonType(response)
      },
    ),
  }),
]

/** The lists before and after a request are the same if it must change nothing. */
async function expectNoChange({ request, response, lists }: SharedExchange): Promise<void> {
  const [before, list] = lists.map(rulesIn)
  if (before === undefined || list === undefined) throw new Error('the list was not read')
  // Other checks judge whether such a request may succeed.
  if (mayChangeList(request) && response.status < 400) return
  await after(describeRequest(request), () => expectUnchanged(list, before, 'list.changed-unrequested'))
}

/** Clauses 4.2 and 7: a request changes nothing if it asks for no change or gets an error. */
export const unrequestedChangeChecks = checks({ ...rejecting, concludes: true }, 'plugin.list.unrequested-change', {
  'CT-881 GET, HEAD, OPTIONS and requests with an error response, a wrong method or a wrong path change no rule':
    async (session) => {
      await session.rules.read()
      session.throwSeen('unrequestedChange')
      for await (const exchange of writesToReject(session, true)) await expectNoChange(exchange)
    },
})
