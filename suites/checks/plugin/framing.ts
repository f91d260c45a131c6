import { expectResponse, expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import { after, NotApplicable } from '../../assertions/failure.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import { type ChunkedForm, chunkedForms, heads, inForm, spacedForms } from '../../session/http-forms.ts'
import { toJson } from '../../session/plugin.ts'
import { chunked, demandsLength, get, lastOne, post, responseTo } from '../../session/raw-request.ts'
import { isAccepted } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { checks, judgingResponses, ownServer, reading, serverChecks, writing } from './scopes.ts'

type Split = readonly [where: string, at: (text: string) => readonly number[], pauseMs?: number]

/** The positions at which a request is split. A lost packet is sent again as late as after the pause. */
const splits: readonly Split[] = [
  ['in the method', () => [2]],
  ['in the target', (text) => [text.indexOf('/api') + 3]],
  ['between CR and LF', (text) => [text.indexOf('\r\n') + 1]],
  ['in the key', (text) => [text.indexOf('X-API-Key') + 14]],
  ['in the blank line', (text) => [text.indexOf('\r\n\r\n') + 3]],
  ['between the head and the body', (text) => [text.indexOf('\r\n\r\n') + 4]],
  ['in the body', (text) => [text.indexOf('"follower"') + 4]],
  ['at three places in the body', (text) => ['"follower"', '"mode"', '"value"'].map((name) => text.indexOf(name))],
  ['before the last byte', (text) => [text.length - 1]],
  ['behind each of the first ten bytes', () => Array.from({ length: 10 }, (_, at) => at + 1)],
  ['in the body, with a pause', (text) => [text.indexOf('"value"')], 700],
]

/** Expects that such a POST is accepted, and the next request on the connection is read correctly. Returns the list. */
async function expectChunksAccepted(session: Session, form: ChunkedForm, before: readonly Rule[]) {
  const { rules, raw } = session
  const draft = rules.draft()
  const { header = chunked[0] } = form
  const bytes = [post(session, inForm(toJson(draft), form), [header]), get(session, '/api/status')]
  const [response, next] = (await raw({ bytes, responses: bytes.length })).responses
  if (response?.status === 411) {
    expectUnchanged(await rules.read(), before)
    throw new NotApplicable(demandsLength)
  }
  expectResponse(response, 201)
  // The server may close the connection after the first response.
  if (next !== undefined) expectStatus(next, 200)
  const list = await rules.read()
  rules.find(list, draft)
  return list
}

/** Headers that a server may ignore (RFC 9110, section 7.8), and values that HTTP allows (section 5.5). */
const unusualHeaders = {
  'an offer to upgrade to HTTP/2': ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
  'letters outside of ASCII in a header': ['User-Agent: Zo\u00eb/1.0'],
}

/** Expects that a body that is too large for a buffer of 4 KiB is accepted in pieces, if it is in one piece. */
async function expectLargeAccepted(session: Session): Promise<void> {
  const { rules, raw } = session
  const send = async (draft: Draft, splitAt: readonly number[]) => {
    // White space in front of the rule, so that it is not complete before the last piece.
    const bytes = post(session, toJson(draft).padStart(6_000))
    return (await raw({ bytes, responses: 1, splitAt })).responses[0]
  }
  const [inOnePiece, inPieces] = [rules.draft(), rules.draft()]
  const whole = await send(inOnePiece, [])
  if (whole === undefined || !isAccepted(whole)) return
  const response = await send(inPieces, [3_000, 4_500])
  await after('a request of 6,000 bytes that was split in the body', () => expectResponse(response, 201))
  const list = await rules.read()
  for (const draft of [inOnePiece, inPieces]) rules.find(list, draft)
}

/** HTTP (RFC 9112): how the head and the body of a request may be written and sent. */
export const framingChecks = [
  ...checks({ ...writing, tolerates: ['end of connection'] }, 'plugin.http.any-framing', {
    'CT-953 POST with a chunked body is accepted, and the rule is listed': async (session) => {
      let list = await session.rules.read()
      for (const [what, form] of Object.entries(chunkedForms)) {
        list = await after(`a POST in chunks ${what}`, () => expectChunksAccepted(session, form, list))
      }
    },
    'CT-970 POST is accepted wherever its bytes are split, sent one by one or after a pause': async (session) => {
      const { draft, find, read } = session.rules
      const sent = splits.map((split) => ({ split, rule: draft() }))
      for (const { split, rule } of sent) {
        const [where, at, pauseMs] = split
        const bytes = post(session, toJson(rule))
        const splitAt = at(bytes.toString('latin1'))
        const { responses } = await session.raw({ bytes, responses: 1, splitAt, ...(pauseMs && { pauseMs }) })
        await after(`a request that was split ${where}`, () => expectResponse(responses[0], 201))
      }
      const list = await read()
      for (const { rule } of sent) find(list, rule)
      await expectLargeAccepted(session)
    },
  }),
  ...checks(judgingResponses, 'plugin.http.any-framing', {
    'CT-9992 POST with header names in lower or upper case, in reverse order, or with those of a browser returns 201':
      async (session) => {
        for (const [what, respell] of Object.entries(heads)) {
          const bytes = Buffer.from(respell(post(session, toJson(session.rules.draft())).toString()))
          await after(`a POST with ${what}`, async () => expectResponse(await responseTo(session, bytes), 201))
        }
      },
  }),
  ...checks(reading, 'plugin.http.any-framing', {
    'CT-998 GET with twenty other headers of 100 bytes returns 200 or 431, and with Content-Length: 0 returns 200':
      async (session) => {
        const others = Array.from({ length: 20 }, (_, at) => `X-${at}: ${'x'.repeat(95)}\r\n`)
        const request = get(session, '/api/status').toString()
        const bytes = Buffer.from(request.replace('X-API-Key', `${others.join('')}X-API-Key`))
        const response = await responseTo(session, bytes)
        // RFC 6585, section 5: a server may limit the number and the size of headers.
        if (response?.status !== 431) expectResponse(response, 200)
        const empty = await responseTo(session, get(session, '/api/status', ['Content-Length: 0']))
        await after('GET with Content-Length: 0', () => expectResponse(empty, 200))
      },
    'CT-999 GET with no space, two spaces or a tab in front of header values, or a trailing space, returns 200': async (
      session,
    ) => {
      for (const [what, bytes] of spacedForms(() => get(session, '/api/status'), session)) {
        await after(what, async () => expectResponse(await responseTo(session, bytes), 200))
      }
    },
  }),
  // Only on a server that the kit starts: a proxy in front of a target may not accept it, and answer in its own way.
  ...serverChecks(ownServer, 'plugin.http.any-framing', {
    'CT-9993 GET with an offer to upgrade to HTTP/2, and with letters outside of ASCII in a header, returns 200':
      async (server) => {
        for (const [what, headers] of Object.entries(unusualHeaders)) {
          const response = await responseTo(server, get(server, '/api/status', headers))
          // A server may accept the offer.
          if (response?.status !== 101) await after(`GET with ${what}`, () => expectResponse(response, 200))
        }
      },
    'CT-9994 Two POSTs whose bodies arrive in pieces at the same time add their own rules': async (server) => {
      const { raw, rules } = server
      const drafts = [rules.draft(), rules.draft()]
      const sent = drafts.map((draft) => {
        const bytes = post(server, toJson(draft))
        return raw({ bytes, responses: 1, splitAt: [bytes.indexOf('"mode"')], pauseMs: 100 })
      })
      for (const { responses } of await Promise.all(sent)) expectResponse(responses[0], 201)
      const list = await rules.read()
      for (const draft of drafts) rules.find(list, draft)
    },
    // RFC 9112, section 3.2.2: a server must accept it, also if no proxy is involved.
    'CT-9991 GET with the URL of the server and the path as the target returns 200': async (server) => {
      const { origin, host, prefix } = server.address
      const address = { origin, host, prefix: `${origin}${prefix}` }
      const bytes = get({ ...server, address }, '/api/status', lastOne)
      expectResponse(await responseTo(server, bytes), 200)
    },
  }),
]
