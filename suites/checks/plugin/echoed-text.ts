import { expectError, expectErrorResponse } from '../../assertions/expect.ts'
import { after } from '../../assertions/failure.ts'
import type { HttpResponse } from '../../client/response.ts'
import { toJson } from '../../session/plugin.ts'
import { withField } from '../../session/rejected-bodies.ts'
import type { Session } from '../../session/session.ts'
import { checks, reading, writing } from './scopes.ts'

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
  // A text that is cut must not end inside of an escape or a character.
  '300 quotation marks': `"${'\\"'.repeat(300)}"`,
  '300 letters of two bytes': `"${'ä'.repeat(300)}"`,
  '5,000 characters': `"${'x'.repeat(5_000)}"`,
}

const named = (texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text.slice(0, 20), text]))

const pathTexts = named([
  '%22',
  '%5C',
  '%0A%09',
  '%01%1F',
  '%E2%80%A8',
  '%C3%A9',
  '%FF',
  '%25s%25n',
  'x'.repeat(2_000),
  // The last one is in each report, so it is short.
  "'",
])
const headerTexts = named(['"', 'a\\b\\', '\'"', '\t"\t', 'x'.repeat(2_000), '%s%n'])

type Send = (session: Session, text: string) => Promise<HttpResponse>

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

/** Clause 7: an error response is valid JSON, whatever part of the request it repeats. */
export const echoedTextChecks = [
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
