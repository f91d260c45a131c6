import { after } from '../../assertions/after.ts'
import { expectError, expectErrorResponse } from '../../assertions/expect.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Check, Risk } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import type { Session } from '../../session/session.ts'

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

interface Place {
  readonly id: string
  readonly requirement: string
  readonly where: string
  readonly risk: Risk
  readonly texts: readonly { readonly name: string; readonly text: string }[]
  readonly send: (session: Session, text: string) => Promise<HttpResponse>
}

const inBody = (id: string, where: string, place: (json: string, text: string) => string): Place => ({
  id,
  requirement: 'plugin.errors.every',
  where,
  risk: 'write',
  texts: jsonTexts.map(({ name, json }) => ({ name, text: json })),
  send: ({ plugin, rules }, text) =>
    plugin.send({ method: 'POST', path: '/api/rules', body: place(toJson(rules.draft()), text) }),
})

const named = (texts: readonly string[]) => texts.map((text) => ({ name: text.slice(0, 20), text }))

const places: readonly Place[] = [
  inBody('CT-890', 'the mode', (json, text) => json.replace(/"mode":"\w+"/, () => `"mode":${text}`)),
  inBody('CT-891', 'the direction', (json, text) => json.replace(/"direction":"\w+"/, () => `"direction":${text}`)),
  inBody('CT-892', 'the name of a member', (json, text) => json.replace(/"master"/, () => text)),
  inBody('CT-893', 'the value', (json, text) => json.replace(/"value":[\d.]+/, () => `"value":${text}`)),
  {
    id: 'CT-894',
    requirement: 'plugin.errors.every',
    where: 'the path',
    risk: 'read',
    texts: named(pathTexts),
    send: ({ plugin }, text) => plugin.send({ method: 'GET', path: `/api/unknown${text}x` }),
  },
  {
    id: 'CT-895',
    requirement: 'plugin.errors.every',
    where: 'the index',
    risk: 'write',
    texts: named(pathTexts),
    send: ({ plugin }, text) => plugin.remove(`no${text}index`),
  },
  ...(['X-API-Key', 'Authorization'] as const).map(
    (header, at): Place => ({
      id: `CT-${896 + at}`,
      requirement: 'plugin.errors.every',
      where: header,
      risk: 'read',
      texts: named(headerTexts),
      send: ({ plugin }, text) =>
        plugin.status({ key: null, headers: { [header]: at === 0 ? `no${text}key` : `Bearer no${text}key` } }),
    }),
  ),
]

/** Clause 7: an error response is valid JSON whatever part of the request it repeats. */
export const echoedTextChecks: readonly Check[] = places.map(
  ({ id, requirement, where, risk, texts, send }): Check => ({
    id,
    requirement,
    title: `The error response is valid JSON whatever characters are in ${where}`,
    risk,
    async run(session) {
      for (const { name, text } of texts) {
        await after(`${name} in ${where}`, async () => {
          const response = await send(session, text)
          expectErrorResponse(response)
          expectError(response)
        })
      }
    },
  }),
)
