import {
  expectError,
  expectErrorResponse,
  expectJsonType,
  expectObject,
  expectThat,
  malformedErrorIn,
} from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Draft } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import {
  type MalformedRequest,
  malformedHeaders,
  malformedLengths,
  malformedRequestLines,
} from '../../session/malformed-requests.ts'
import { noOpRequests } from '../../session/no-op-requests.ts'
import { type OperationName, reads, succeed, writes } from '../../session/operations.ts'
import { type PluginRequest, toJson } from '../../session/plugin.ts'
import { get, responseTo } from '../../session/raw-request.ts'
import { withField, withoutDirection } from '../../session/rejected-bodies.ts'
import { requestsToReject } from '../../session/rejected-requests.ts'
import type { Session } from '../../session/session.ts'
import { exclusive, judgingResponses, reading, writing } from './scopes.ts'

/** An error that repeats such a word must escape it. */
const wordsToEscape = ['a"b', 'a\\', 'a\nb', 'a\u0001b']

const wrongFields: Readonly<Record<keyof Draft, readonly unknown[]>> = {
  master: ['text', null, true, [1], 1.5],
  follower: ['text', null, true, {}, 1.5],
  mode: [1, null, 'other', '', ...wordsToEscape],
  value: ['1', null, 0, -1, []],
  direction: [1, null, 'other', '', ...wordsToEscape],
}

const wrongBodies = ['null', '5', '"text"', 'true', '[]', '{}', '{"master":', 'text', ' ']

/** Bodies that POST rejects: each field missing and with each wrong value, and not a rule at all. */
function rejectedBodies(draft: Session['rules']['draft']): readonly PluginRequest[] {
  const fields = Object.entries(wrongFields).flatMap(([field, values]) =>
    [undefined, ...values].map((value) => toJson({ ...draft(), [field]: value })),
  )
  return [...fields, ...wrongBodies].map((body) => ({ method: 'POST', path: '/api/rules', body }))
}

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
const malformed: readonly MalformedRequest[] = [
  ...malformedLengths.slice(0, 2),
  ...malformedHeaders.slice(0, 4),
  ...malformedRequestLines,
]

/** A file path, a line of source code, or a pointer as printf writes it. */
const internals = [
  /(?<![\w/.])\/(?:home|usr|var|opt|tmp|etc|root|srv|mnt|proc|Users)\/\w/,
  /[\\/]ServiceCopyTrade_rules\.dat/,
  /\b[A-Z]:[\\/]+\w/i,
  /\.(?:c|cc|cpp|h|hpp|cs|go|java|js|mjs|ts|php|py|rb|rs)\W+(?:(?:on )?line )?\d/,
  /\b0x[\da-f]{6,}|\(nil\)/i,
]

/** The body may have other members, and whether it is JSON is judged by other checks. */
export function expectNoInternals(response: HttpResponse): void {
  const { error } = (response.json ?? {}) as { readonly error?: unknown }
  const isFree = internals.every((pattern) => !pattern.test(String(error)))
  expectThat(isFree, 'error.shows-internals', { difference: response.status, response })
}

function expectDescription(response: HttpResponse): void {
  const { error } = expectObject(response)
  expectThat(typeof error === 'string' && error.trim() !== '', 'error.text-empty', { actual: error, response })
}

function expectErrorForm(response: HttpResponse): void {
  const malformed = malformedErrorIn(response)
  if (malformed !== null) throw malformed
}

type Judge = (response: HttpResponse) => void

/** Judges an error response. The response to HEAD has no body. */
function judgeError(response: HttpResponse, expectPart: Judge): void {
  if (response.status >= 400 && response.exchange.request.method !== 'HEAD') expectPart(response)
}

/** Sends requests that may be rejected, and judges each error response. Returns all responses. */
async function expectInErrors({ plugin }: Session, requests: readonly PluginRequest[], expectPart: Judge) {
  const responses: HttpResponse[] = []
  for (const request of requests) {
    const response = await plugin.send(request)
    judgeError(response, expectPart)
    responses.push(response)
  }
  return responses
}

/** The same, using the responses that another check got to these requests, if there are any. */
async function expectInSharedErrors(
  { known }: Session,
  requests: string,
  expectPart: Judge,
  send: () => Promise<readonly HttpResponse[]>,
): Promise<void> {
  const responses = known.find(requests)
  if (responses === null) return known.store(requests, await send())
  for (const response of responses) judgeError(response, expectPart)
}

const inErrorsToReads = (expectPart: Judge) => (session: Session) =>
  expectInSharedErrors(session, 'reads to reject', expectPart, () => expectInErrors(session, readsToReject, expectPart))

const writesToReject = 'writes to reject'

const inErrorsToWrites =
  (expectPart: Judge, bodies: typeof rejectedBodies | null = null) =>
  async (session: Session) => {
    const { draft, arrange } = session.rules
    const send = async () => {
      const [, rule] = await arrange(2)
      if (bodies !== null) await expectInErrors(session, bodies(draft), expectPart)
      const requests = [...requestsToReject(rule, draft), ...noOpRequests(rule, draft)]
      return expectInErrors(session, requests, expectPart)
    }
    if (bodies === null) await expectInSharedErrors(session, writesToReject, expectPart, send)
    else session.known.store(writesToReject, await send())
  }

const inSuccesses = (names: readonly OperationName[], expectPart: Judge) => async (session: Session) => {
  for (const name of names) expectPart(await succeed(session, name))
}

const rejecting = { ...writing, tolerates: ['rejection'], shares: writesToReject } as const
const concluding = { ...exclusive, concludes: true, tolerates: ['rejection', 'end of connection'] } as const

/** Texts that a server must escape if its error text repeats them, as JSON strings. */
const jsonTexts = {
  'quotation marks': '"a\\"b\\""',
  backslashes: '"a\\\\b\\\\"',
  'line breaks and tabs': '"a\\n\\r\\tb"',
  'control characters': '"\\u0001\\u001f\\u007f"',
  'a NUL': '"a\\u0000b"',
  'U+2028 and an emoji': '"\\u2028\\ud83d\\ude00"',
  'a lone surrogate': '"\\ud800"',
  'a format string': '"%s%n{0}"',
  '5,000 characters': `"${'x'.repeat(5_000)}"`,
}

/** The same texts in a path segment and in a header. */
const pathTexts = named(['%22', '%5C', '%0A%09', '%01%1F', '%E2%80%A8', '%25s%25n', "'", 'x'.repeat(2_000)])
const headerTexts = named(['"', 'a\\b\\', '\'"', '\t"\t', '%s%n', 'x'.repeat(2_000)])

function named(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map((text) => [text.slice(0, 20), text]))
}

type Send = (session: Session, text: string) => Promise<HttpResponse>

/** A part of a request, the texts to put there, and the request. */
type Place = readonly [where: string, texts: Readonly<Record<string, string>>, send: Send]

const post =
  (change: (rule: string, text: string) => string): Send =>
  ({ plugin, rules }, text) =>
    plugin.addText(change(toJson(rules.draft()), text))

const withHeader =
  (name: string, value: (text: string) => string): Send =>
  ({ plugin }, text) =>
    plugin.status({ key: null, headers: { [name]: value(text) } })

const escaped = (places: readonly Place[]) => async (session: Session) => {
  for (const [where, texts, send] of places) {
    for (const [name, text] of Object.entries(texts)) {
      await after(`${name} in ${where}`, async () => {
        const response = await send(session, text)
        expectErrorResponse(response)
        expectError(response)
      })
    }
  }
}

/** Clauses 4.2 and 7: the format of every error response, and the media type of every response. */
export const errorChecks: readonly Check[] = [
  ...checks({ ...reading, concludes: true }, 'plugin.errors.every', {
    'CT-871 Error responses to GET, and all others of the run, are JSON objects { error: string }': async (session) => {
      await inErrorsToReads(expectErrorForm)(session)
      session.throwSeen('malformedError')
    },
  }),
  ...checks({ ...writing, shares: writesToReject }, 'plugin.errors.every', {
    'CT-872 Every error response to a wrong field, body, method, path, index or key is a JSON object { error: string }':
      inErrorsToWrites(expectErrorForm, rejectedBodies),
  }),
  ...checks(concluding, 'plugin.errors.every', {
    'CT-873 Every error response of the run is a JSON object { error: string }, after malformed HTTP as well': async (
      session,
    ) => {
      const incomplete = toJson(withoutDirection(session.rules.draft()))
      for (const { bytes } of malformed) {
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
    'CT-308 GET /api/status and GET /api/rules respond with Content-Type application/json': inSuccesses(
      reads,
      expectJsonType,
    ),
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
  ...checks(judgingResponses, 'plugin.json.content-type', {
    'CT-503 POST and DELETE of a rule respond with Content-Type application/json': inSuccesses(writes, expectJsonType),
  }),
  ...checks(reading, 'plugin.errors.every', {
    'CT-894 The error response to GET is valid JSON whatever characters are in the path or the key': escaped([
      ['the path', pathTexts, ({ plugin }, text) => plugin.send({ method: 'GET', path: `/api/unknown${text}x` })],
      ['X-API-Key', headerTexts, withHeader('X-API-Key', (text) => `no${text}key`)],
      ['Authorization', headerTexts, withHeader('Authorization', (text) => `Bearer no${text}key`)],
    ]),
  }),
  ...checks(writing, 'plugin.errors.every', {
    'CT-890 The error response to POST and DELETE is valid JSON whatever characters are in the body or the index':
      escaped([
        ['the mode', jsonTexts, post((rule, text) => withField(rule, 'mode', text))],
        ['the direction', jsonTexts, post((rule, text) => withField(rule, 'direction', text))],
        ['the name of a member', jsonTexts, post((rule, text) => rule.replace('"master"', () => text))],
        ['the value', jsonTexts, post((rule, text) => withField(rule, 'value', text))],
        ['the index', pathTexts, ({ plugin }, text) => plugin.remove(`no${text}index`)],
      ]),
  }),
]
