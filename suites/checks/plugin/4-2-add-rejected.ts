import { after } from '../../assertions/after.ts'
import { expectErrorResponse } from '../../assertions/expect.ts'
import { CannotArrange } from '../../assertions/failure.ts'
import type { Draft } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { expectBodiesRejected } from '../../session/rejected-bodies.ts'
import { isAccepted } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { expectForms } from './2-3-rule-form.ts'
import { judgingResponses, writing } from './scopes.ts'

const fields = ['master', 'follower', 'mode', 'value', 'direction'] as const

type Field = (typeof fields)[number]

/** The field is missing, or stands elsewhere. */
async function expectFieldRequired(session: Session, field: Field): Promise<void> {
  const twin = session.rules.draft()
  const { [field]: value, ...rest } = twin
  await expectBodiesRejected(session, {
    bodies: [
      [`no ${field}`, toJson(rest)],
      [`${field} under another name`, toJson({ ...rest, [`${field}_`]: value })],
      [`${field} and a NUL as the name`, toJson({ ...rest, [`${field}\0x`]: value })],
      [`${field} in an object`, toJson({ ...rest, rule: { [field]: value } })],
      ['the rule in an object', toJson({ rule: twin })],
    ],
    twin,
    status: 400,
  })
}

/** No login, and one with a fraction: none may become another login. */
const notAnInteger = ['900000998.5', '"900000998"', '"abc"', '""', 'null', 'true', '[900000998]', '{}']
const notAString = ['1', 'null', 'true', '["same"]', '{"mult":1}', '["mult"]']

/** Pieces of JSON that a field must not have. */
type Wrong = Readonly<Partial<Record<Field, readonly string[]>>>

const wrongTypes: Wrong = {
  master: notAnInteger,
  follower: notAnInteger,
  mode: notAString,
  value: ['"1.5"', '"1,5"', '""', 'null', 'true', '[1.5]', '{}'],
  direction: notAString,
}

const notPositive: Wrong = {
  value: [
    ...['0', '0.0', '-0', '0e5'],
    ...['-1', '-0.01', '-1e-9', '-100000', '-1e-10', '-0.0000000000001', '-1e-300', '-5e-324'],
  ],
}

/** A documented word with white space at an edge, which a pattern or a trim may overlook. */
const edged = (word: string) => [`${word}\n`, `${word}\r\n`, `${word}\t`, `\n${word}`, `${word}\u00a0`]
const asJson = (words: readonly string[]) => words.map((word) => JSON.stringify(word))

const unlistedWords: Wrong = {
  mode: asJson([
    ...['lots', '', 'MULT', 'Fixed', 'mul', 'multipliers', 'mult ', 'fix', 'fixed_lot', 'lot', 'm', 'mult\0'],
    ...[...edged('mult'), ...edged('fixed')],
  ]),
  direction: asJson([
    ...['both', '', 'SAME', 'Reverse', 'rev', 'sam', 'reversed', 'opposite', ' same', 'same ', 'same\0'],
    ...[...edged('same'), ...edged('reverse')],
  ]),
}

/** A rule with each of these pieces of JSON in the place of its field. */
function bodiesWith(wrong: Wrong, twin: Draft): readonly (readonly [string, string])[] {
  return Object.entries(wrong).flatMap(([field, spellings]) =>
    spellings.map((spelling): readonly [string, string] => [
      `${field} ${spelling}`,
      toJson({ ...twin, [field]: 'REPLACED' }).replace('"REPLACED"', spelling),
    ]),
  )
}

/** A server may validate a value only with some words. */
async function expectRejected(session: Session, wrong: Wrong, status?: 400): Promise<void> {
  for (const words of [
    { mode: 'mult', direction: 'same' },
    { mode: 'fixed', direction: 'reverse' },
  ]) {
    const twin = session.rules.draft(words)
    const expected = status === undefined ? {} : { status }
    await expectBodiesRejected(session, { bodies: bodiesWith(wrong, twin), twin, ...expected })
  }
}

function withValue(spelling: string): (json: string) => string {
  return (json) => json.replace(/"value":[\d.]+/, `"value":${spelling}`)
}

/** What damages the JSON of a rule. */
const damages: Readonly<Record<string, (json: string) => string>> = {
  'an empty body': () => '',
  'a body of white space': () => ' \r\n\t ',
  'truncated JSON': (json) => json.slice(0, -1),
  'JSON followed by other text': (json) => `${json} x`,
  'JSON followed by a second rule': (json) => json + json,
  'a trailing comma in the JSON': (json) => json.replace(/}$/, ',}'),
  'single-quoted JSON': (json) => json.replaceAll('"', "'"),
  'an unquoted field name': (json) => json.replace('"master"', 'master'),
  'a comment in the JSON': (json) => json.replace('{', '{/* a rule */'),
  'value NaN': withValue('NaN'),
  'value Infinity': withValue('Infinity'),
  'value 01.5': withValue('01.5'),
  'JSON that lacks the opening brace': (json) => json.slice(1),
  'a missing comma in the JSON': (json) => json.replace(',"follower"', ' "follower"'),
  'value .5': withValue('.5'),
  'value 1.': withValue('1.'),
  'value +1': withValue('+1'),
  'JSON preceded by other text': (json) => `x${json}`,
  'JSON followed by a NUL byte': (json) => `${json}\0`,
  'value 0x1': withValue('0x1'),
  'an unescaped line break in a string': (json) => json.replace('{', '{"note":"a\nb",'),
  'a form-encoded body': (json) => new URLSearchParams(JSON.parse(json) as Record<string, string>).toString(),
  'a YAML body': (json) =>
    Object.entries(JSON.parse(json))
      .map((entry) => entry.join(': '))
      .join('\n'),
}

const noObjects = ['[]', 'null', 'true', '1', '"rule"'].map((json) => [`the body ${json}`, json] as const)

/** A rule in formats that frameworks read besides JSON. */
function otherFormats(entries: readonly (readonly [string, unknown])[]) {
  const joined = (line: (name: string, value: unknown) => string, between = '') =>
    entries.map(([name, value]) => line(name, value)).join(between)
  const part = (name: string, value: unknown) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return [
    { contentType: 'application/x-www-form-urlencoded', body: joined((name, value) => `${name}=${value}`, '&') },
    { contentType: 'multipart/form-data; boundary=part', body: `${joined(part)}--part--\r\n` },
    { contentType: 'application/xml', body: `<rule>${joined((name, value) => `<${name}>${value}</${name}>`)}</rule>` },
    { contentType: 'application/yaml', body: joined((name, value) => `${name}: ${value}`, '\n') },
  ]
}

/** A field twice, once with a value that no rule may have. */
const repeated = [
  ['value', '-1'],
  ['value', '0'],
  ['mode', '"lots"'],
  ['direction', '"both"'],
  ['follower', '"none"'],
] as const

/** Which of the two counts is a question. If the rule is accepted, it is listed with a valid value. */
async function expectNoInvalidRule({ plugin, rules }: Session): Promise<void> {
  for (const [field, wrong] of repeated) {
    for (const isFirst of [true, false]) {
      const draft = rules.draft()
      const added = isFirst ? `"${field}":${wrong},$&` : `$&,"${field}":${wrong}`
      const body = toJson(draft).replace(new RegExp(`"${field}":[^,}]+`), added)
      await after(`POST with ${field} twice, ${isFirst ? 'first' : 'last'} ${wrong}`, async () => {
        const isAdded = isAccepted(await plugin.send({ method: 'POST', path: '/api/rules', body }))
        const listed = (await rules.read()).filter(({ master }) => master === draft.master)
        if (isAdded && listed.length === 0) throw new CannotArrange('the rule was accepted, and is not listed')
        expectForms(listed)
      })
      await rules.clear([draft])
    }
  }
}

/** Clauses 4.2 and 7: POST /api/rules with a body that must be rejected. */
export const addRejectedChecks: readonly Check[] = [
  ...checks(judgingResponses, 'plugin.add.requires-every-field', {
    'CT-421 POST without one of the five fields is rejected with 400 and adds nothing': async (session) => {
      for (const field of fields) await expectFieldRequired(session, field)
    },
  }),
  ...checks(writing, 'plugin.add.wrong-type', {
    'CT-431 POST with a field of the wrong JSON type is rejected and adds nothing': (session) =>
      expectRejected(session, wrongTypes),
  }),
  ...checks(judgingResponses, 'plugin.add.value-not-positive', {
    'CT-451 POST with value 0 or a negative value is rejected and adds nothing': (session) =>
      expectRejected(session, notPositive),
  }),
  ...checks(writing, 'plugin.rule.fields', {
    'CT-427 A rule that is accepted with a repeated field, once valid and once not, is listed with valid fields':
      expectNoInvalidRule,
  }),
  ...checks(writing, 'plugin.add.unlisted-word', {
    'CT-453 POST with an undocumented mode or direction is rejected and adds nothing': (session) =>
      expectRejected(session, unlistedWords),
  }),
  ...checks(judgingResponses, 'plugin.add.bad-request-is-400', {
    'CT-441 POST with a wrong type, value, mode or direction, or with no object, is rejected with 400': async (
      session,
    ) => {
      for (const wrong of [wrongTypes, notPositive, unlistedWords]) {
        const few = Object.entries(wrong).map(([field, spellings]) => [field, spellings.slice(0, 5)])
        await expectRejected(session, Object.fromEntries(few), 400)
      }
      await expectBodiesRejected(session, { bodies: noObjects, twin: session.rules.draft(), status: 400 })
    },
  }),
  ...checks(judgingResponses, 'plugin.add.invalid-json', {
    'CT-471 POST with a body that is empty or not valid JSON is rejected with 400 and adds nothing': async (
      session,
    ) => {
      const twin = session.rules.draft()
      const bodies = Object.entries(damages).map(([name, damage]) => [name, damage(toJson(twin))] as const)
      await expectBodiesRejected(session, { bodies, twin, status: 400 })
    },
  }),
  ...checks(judgingResponses, 'plugin.add.wrong-type', {
    'CT-483 POST of a JSON array, null, boolean, number or string is rejected and adds nothing': async (session) => {
      const twin = session.rules.draft()
      await expectBodiesRejected(session, { bodies: [...noObjects, ['an array', toJson([twin])]], twin })
    },
  }),
  ...checks(writing, 'plugin.add.invalid-json', {
    'CT-426 POST of a rule as a form, XML or YAML is rejected': async ({ plugin, rules }) => {
      for (const { contentType, body } of otherFormats(Object.entries(rules.draft()))) {
        expectErrorResponse(await plugin.send({ method: 'POST', path: '/api/rules', body, contentType }))
      }
    },
  }),
]
