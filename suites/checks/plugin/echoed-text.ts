import { after } from '../../assertions/after.ts'
import { expectError, expectErrorResponse } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import { type Check, checks } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import type { Session } from '../../session/session.ts'
import { reading, writing } from './scopes.ts'

/** Texts that a server must escape if its error text repeats them, as JSON strings. */
const jsonTexts: readonly { readonly name: string; readonly json: string }[] = [
  { name: 'quotation marks', json: '"a\\"b\\""' },
  { name: 'backslashes', json: '"a\\\\b\\\\"' },
  { name: 'line breaks and tabs', json: '"a\\n\\r\\tb"' },
  { name: 'control characters', json: '"\\u0001\\u001f\\u007f"' },
  { name: 'a NUL', json: '"a\\u0000b"' },
  { name: 'U+2028 and an emoji', json: '"\\u2028\\ud83d\\ude00"' },
  { name: 'a lone surrogate', json: '"\\ud800"' },
  { name: 'a format string', json: '"%s%n{0}"' },
  { name: '5,000 characters', json: `"${'x'.repeat(5_000)}"` },
]

/** The same in a part of a path, and in a header. */
const pathTexts = ['%22', '%5C', '%0A%09', '%01%1F', '%E2%80%A8', '%25s%25n', "'", 'x'.repeat(2_000)]
const headerTexts = ['"', 'a\\b\\', '\'"', '\t"\t', '%s%n', 'x'.repeat(2_000)]

type Send = (session: Session, text: string) => Promise<HttpResponse>

/** A place of a request, and what stands there. */
interface Place {
  readonly where: string
  readonly texts: readonly { readonly name: string; readonly text: string }[]
  readonly send: Send
}

const named = (texts: readonly string[]) => texts.map((text) => ({ name: text.slice(0, 20), text }))

const inBody = (where: string, replaced: RegExp, toText: (text: string) => string = (text) => text): Place => ({
  where,
  texts: jsonTexts.map(({ name, json }) => ({ name, text: json })),
  send: ({ plugin, rules }, text) =>
    plugin.send({
      method: 'POST',
      path: '/api/rules',
      body: toJson(rules.draft()).replace(replaced, () => toText(text)),
    }),
})

const places: Readonly<Record<'read' | 'write', readonly Place[]>> = {
  read: [
    {
      where: 'the path',
      texts: named(pathTexts),
      send: ({ plugin }, text) => plugin.send({ method: 'GET', path: `/api/unknown${text}x` }),
    },
    {
      where: 'X-API-Key',
      texts: named(headerTexts),
      send: ({ plugin }, text) => plugin.status({ key: null, headers: { 'X-API-Key': `no${text}key` } }),
    },
    {
      where: 'Authorization',
      texts: named(headerTexts),
      send: ({ plugin }, text) => plugin.status({ key: null, headers: { Authorization: `Bearer no${text}key` } }),
    },
  ],
  write: [
    inBody('the mode', /"mode":"\w+"/, (text) => `"mode":${text}`),
    inBody('the direction', /"direction":"\w+"/, (text) => `"direction":${text}`),
    inBody('the name of a member', /"master"/),
    inBody('the value', /"value":[\d.]+/, (text) => `"value":${text}`),
    { where: 'the index', texts: named(pathTexts), send: ({ plugin }, text) => plugin.remove(`no${text}index`) },
  ],
}

async function expectEscaped(session: Session, { where, texts, send }: Place): Promise<void> {
  for (const { name, text } of texts) {
    await after(`${name} in ${where}`, async () => {
      const response = await send(session, text)
      expectErrorResponse(response)
      expectError(response)
    })
  }
}

/** Clause 7: an error response is valid JSON whatever part of the request it repeats. */
export const echoedTextChecks: readonly Check[] = [
  ...checks(reading, 'plugin.errors.every', {
    'CT-894 The error response to GET is valid JSON whatever characters are in the path or the key': async (
      session,
    ) => {
      for (const place of places.read) await expectEscaped(session, place)
    },
  }),
  ...checks(writing, 'plugin.errors.every', {
    'CT-890 The error response to POST and DELETE is valid JSON whatever characters are in the body or the index':
      async (session) => {
        for (const place of places.write) await expectEscaped(session, place)
      },
  }),
]
