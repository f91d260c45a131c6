import { expectErrorResponse, expectStatus } from '../../assertions/expect.ts'
import { after, CannotArrange } from '../../assertions/failure.ts'
import { type Draft, ruleFields } from '../../model/rule.ts'
import { expectAdded, expectKept } from '../../session/list-changes.ts'
import { toJson } from '../../session/plugin.ts'
import { post } from '../../session/raw-request.ts'
import { expectBodiesRejected, withField } from '../../session/rejected-bodies.ts'
import { isAccepted } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { expectForms } from './2-3-rules.ts'
import { oppositeWords } from './documented-words.ts'
import { checks, judgingResponses, writing } from './scopes.ts'

type Field = (typeof ruleFields)[number]

/** Not logins, or logins with a fraction: none may be stored as another login. */
const notAnInteger = [
  ...['900000998.5', '"900000998"', '"abc"', '""', 'null', 'true', '[900000998]', '{}'],
  ...['9000009985e-1', '900000998.0001', '" 900000998"', '{"login":900000998}'],
]
const notAString = ['1', 'null', 'true', '["same"]', '{"mult":1}', '["mult"]', 'false', '0', '[]']

type Wrong = Readonly<Partial<Record<Field, readonly string[]>>>

const wrongTypes: Wrong = {
  master: notAnInteger,
  follower: notAnInteger,
  // Serde reads the name of a member that is null as a word.
  mode: [...notAString, '{"mult":null}'],
  value: ['"1.5"', '"1,5"', '""', 'null', 'true', '[1.5]', '{}', 'false'],
  direction: [...notAString, '{"same":null}'],
}

const notPositive: Wrong = {
  value: [
    ...['0', '0.0', '-0', '0e5'],
    ...['-1', '-0.01', '-1e-9', '-100000', '-1e-10', '-0.0000000000001', '-1e-300', '-5e-324', '-1e10', '-1e308'],
  ],
}

/** A documented word with white space at the end or start, which a pattern or a trim may overlook. */
const withEdgeSpace = (word: string) => [`${word}\n`, `${word}\r\n`, `${word}\t`, `\n${word}`, `${word}\u00a0`]
const asJson = (words: readonly string[]) => words.map((word) => JSON.stringify(word))

const unlistedWords: Wrong = {
  mode: [
    ...asJson([
      ...['lots', '', 'MULT', 'mult\ud800', 'Fixed', 'mul', 'multipliers', 'mult '],
      ...['fix', 'fixed_lot', 'lot', 'm', 'mult\0', 'mult\u200b', '\uff4dult'],
      ...[...withEdgeSpace('mult'), ...withEdgeSpace('fixed')],
    ]),
    // Its last eight bits are those of m.
    '"\\u016dult"',
  ],
  direction: asJson([
    ...['both', '', 'SAME', 'Reverse', 'rev', 'sam', 'reversed', 'opposite', ' same', 'same ', 'same\0'],
    ...[...withEdgeSpace('same'), ...withEdgeSpace('reverse')],
  ]),
}

const withAlias = { mode: 'multiplier', direction: 'reverse' } as const

const rejects = (wrong: Wrong, status?: 400) => async (session: Session) => {
  // Whether the status is 400 does not depend on the alias.
  const words = status === undefined ? [...oppositeWords, withAlias] : oppositeWords
  const groups = words.map((both) => {
    const twin = session.rules.draft(both)
    const bodies = Object.entries(wrong).flatMap(([field, spellings]) =>
      // Two are enough to see whether a field is checked with the alias.
      (both === withAlias ? [...spellings.slice(0, 1), ...spellings.slice(-1)] : spellings).map(
        (json) => [`${field} ${json}`, withField(toJson(twin), field, json)] as const,
      ),
    )
    return { bodies, twin, shared: `${both.mode} ${both.direction}` }
  })
  await expectBodiesRejected(session, groups, status)
}

type Damaged = readonly [what: string, body: string]

/** Values that are not valid JSON numbers. */
function values(json: string, ...numerals: readonly string[]) {
  return numerals.map((numeral): Damaged => [`value ${numeral}`, withField(json, 'value', numeral)])
}

/** Further members that are not valid JSON. */
function notes(json: string, ...texts: readonly string[]) {
  return texts.map(
    (text): Damaged => [`the further member ${text.replace('\n', '\\n')}`, json.replace('{', `{"note":${text},`)],
  )
}

const written = (json: string, write: (name: string, value: unknown) => string, between = '') =>
  Object.entries(JSON.parse(json) as Draft)
    .map(([name, value]) => write(name, value))
    .join(between)
const asForm = (json: string) => written(json, (name, value) => `${name}=${value}`, '&')
const asYaml = (json: string) => written(json, (name, value) => `${name}: ${value}`, '\n')
const asXml = (json: string) => `<rule>${written(json, (name, value) => `<${name}>${value}</${name}>`)}</rule>`
const part = (name: string, value: unknown) =>
  `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const asParts = (json: string) => `${written(json, part)}--part--\r\n`

/** Formats that frameworks accept besides JSON. */
const otherFormats = [
  ['application/x-www-form-urlencoded', asForm],
  ['multipart/form-data; boundary=part', asParts],
  ['application/xml', asXml],
  ['application/yaml', asYaml],
] as const

const damaged = (json: string): readonly Damaged[] => [
  ['an empty body', ''],
  ['a body of white space', ' \r\n\t '],
  ['truncated JSON', json.slice(0, -1)],
  ['JSON followed by other text', `${json} x`],
  ['JSON followed by a brace', `${json}}`],
  ['JSON followed by a line', `${json}\nx`],
  // A server with a buffer of 4 KiB reads only the beginning.
  ['JSON followed by 5,000 spaces and other text', `${json}${' '.repeat(5_000)}x`],
  ['JSON followed by a second rule', json + json],
  ['a trailing comma in the JSON', json.replace(/}$/, ',}')],
  ['single-quoted JSON', json.replaceAll('"', "'")],
  ['an unquoted field name', json.replace('"master"', 'master')],
  ['a comment in the JSON', json.replace('{', '{/* a rule */')],
  ...values(json, 'NaN', 'Infinity', '01.5'),
  ['JSON that lacks the opening brace', json.slice(1)],
  ['a missing comma in the JSON', json.replace(',"follower"', ' "follower"')],
  ['a repeated comma in the JSON', json.replace(',"follower"', ',,"follower"')],
  ['a semicolon for a comma in the JSON', json.replace(',"follower"', ';"follower"')],
  ...values(json, '.5', '1.', '+1', '1.5f'),
  ['equals signs for colons in the JSON', json.replaceAll('":', '"=')],
  ['JSON preceded by other text', `x${json}`],
  ['JSON preceded by a no-break space', `\u00a0${json}`],
  ['JSON followed by a NUL byte', `${json}\0`],
  ...values(json, '0x1'),
  ...notes(json, '"a\nb"', '- 1', '[1,]', 'TRUE', 'nil', 'NaN', '"\\a"', '"\\u00zz"'),
  ['a form-encoded body', asForm(json)],
  ['a YAML body', asYaml(json)],
]

function noObjects({ rules }: Session) {
  const twin = rules.draft()
  const bodies = ['[]', 'null', 'true', '1', '"rule"'].map((json) => [`the body ${json}`, json] as const)
  // Serde reads an array of the values as an object.
  const arrays = [
    ['an array', toJson([twin])],
    ['an array of the five values', toJson(ruleFields.map((field) => twin[field]))],
  ] as const
  return { bodies: [...bodies, ...arrays], twin, shared: 'bodies' }
}

/** Frameworks can merge the query string with the body. A server may also reject the query string. */
function expectQueryAddsNoField({ plugin, rules }: Session): Promise<void> {
  return expectKept(rules, async () => {
    for (const field of ['mode', 'value', 'direction'] as const) {
      const { [field]: value, ...rest } = rules.draft()
      const response = await plugin.send({ method: 'POST', path: `/api/rules?${field}=${value}`, body: toJson(rest) })
      await after(`POST with ${field} only in the query string`, () => expectErrorResponse(response))
    }
  })
}

/** A duplicate field, once with an invalid value. */
const repeated = [
  ['value', '-1'],
  ['value', '0'],
  ['mode', '"lots"'],
  ['direction', '"both"'],
  ['follower', '"none"'],
] as const

/** Clauses 4.2 and 7: POST /api/rules with a body that must be rejected. */
export const addRejectedChecks = [
  ...checks(judgingResponses, 'plugin.add.requires-every-field', {
    'CT-421 POST without one of the five fields is rejected with 400 and adds nothing': async (session) => {
      const twin = session.rules.draft()
      const bodies = ruleFields.flatMap((field) => {
        const { [field]: value, ...rest } = twin
        return [
          [`no ${field}`, toJson(rest)],
          [`no ${field} and mode multiplier`, toJson({ ...twin, mode: 'multiplier', [field]: undefined })],
          [`${field} under another name`, toJson({ ...rest, [`${field}_`]: value })],
          [`${field} and a space as the name`, toJson({ ...rest, [`${field} `]: value })],
          [`${field} and a NUL as the name`, toJson({ ...rest, [`${field}\0x`]: value })],
          [`${field} in an object`, toJson({ ...rest, rule: { [field]: value } })],
        ] as const
      })
      const nested = ['the rule in an object', toJson({ rule: twin })] as const
      await expectBodiesRejected(session, [{ bodies: [...bodies, nested], twin }], 400)
      await expectQueryAddsNoField(session)
    },
  }),
  ...checks(writing, 'plugin.add.requires-every-field', {
    'CT-429 POST without one of the five fields is rejected with 400 also after a valid POST on the same connection':
      async (session) => {
        const { raw, rules } = session
        const before = await rules.read()
        const draft = rules.draft()
        const incomplete = ruleFields.map((field) => ({ ...rules.draft(), [field]: undefined }))
        const bytes = [draft, ...incomplete].map((rule) => post(session, toJson(rule)))
        const [added, ...rejected] = (await raw({ bytes, responses: bytes.length })).responses
        if (added?.status !== 201) throw new CannotArrange('the valid POST was not answered with 201')
        // The server may close the connection after any response.
        for (const response of rejected) expectStatus(response, 400)
        expectAdded(await rules.read(), before, draft)
      },
  }),
  ...checks(writing, 'plugin.add.wrong-type', {
    'CT-431 POST with a field of the wrong JSON type is rejected and adds nothing': rejects(wrongTypes),
  }),
  ...checks(judgingResponses, 'plugin.add.value-not-positive', {
    'CT-451 POST with value 0 or a negative value is rejected and adds nothing': rejects(notPositive),
  }),
  ...checks(writing, 'plugin.rule.fields', {
    'CT-427 A rule that is accepted with a repeated field, once valid and once not, is listed with valid fields':
      async ({ plugin, rules }) => {
        for (const [field, wrong] of repeated) {
          for (const place of ['first', 'last']) {
            const draft = rules.draft()
            const valid = toJson(draft[field])
            // Which of the two counts is a question.
            const both = place === 'first' ? [wrong, valid] : [valid, wrong]
            const body = withField(toJson(draft), field, both.join(`,"${field}":`))
            await after(`POST with ${field} twice, ${place} ${wrong}`, async () => {
              const isAdded = isAccepted(await plugin.addText(body))
              const listed = (await rules.read()).filter(({ master }) => master === draft.master)
              if (isAdded && listed.length === 0) throw new CannotArrange('the rule was accepted, and is not listed')
              expectForms(listed)
            })
            await rules.clear([draft])
          }
        }
      },
  }),
  ...checks(writing, 'plugin.add.unlisted-word', {
    'CT-453 POST with an undocumented mode or direction is rejected and adds nothing': rejects(unlistedWords),
  }),
  ...checks(writing, 'plugin.add.bad-request-is-400', {
    'CT-441 POST with a wrong type, value, mode or direction, or with no object, is rejected with 400': async (
      session,
    ) => {
      for (const wrong of [wrongTypes, notPositive, unlistedWords]) {
        const few = Object.entries(wrong).map(([field, spellings]) => [field, spellings.slice(0, 5)])
        await rejects(Object.fromEntries(few), 400)(session)
      }
      await expectBodiesRejected(session, [noObjects(session)], 400)
    },
  }),
  ...checks(judgingResponses, 'plugin.add.invalid-json', {
    'CT-471 POST with a body that is empty or not valid JSON is rejected with 400 and adds nothing': async (
      session,
    ) => {
      const twin = session.rules.draft()
      await expectBodiesRejected(session, [{ bodies: damaged(toJson(twin)), twin }], 400)
    },
  }),
  ...checks(judgingResponses, 'plugin.add.wrong-type', {
    'CT-483 POST of a JSON array, null, boolean, number or string is rejected and adds nothing': (session) =>
      expectBodiesRejected(session, [noObjects(session)]),
  }),
  ...checks(writing, 'plugin.add.invalid-json', {
    'CT-426 POST of a rule as a form, XML or YAML is rejected': async ({ plugin, rules }) => {
      const rule = toJson(rules.draft())
      for (const [type, format] of otherFormats) expectErrorResponse(await plugin.addText(format(rule), type))
    },
  }),
]
