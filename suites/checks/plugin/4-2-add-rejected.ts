import { expectErrorResponse, expectStatus, expectUnchanged } from '../../assertions/expect.ts'
import type { Draft } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import { post } from '../../session/raw-request.ts'
import { expectBodiesRejected } from '../../session/rejected-bodies.ts'
import type { Session } from '../../session/session.ts'

type Field = keyof Draft

const missing: readonly { readonly id: string; readonly requirement: string; readonly field: Field }[] = [
  { id: 'CT-421', requirement: 'plugin.add.requires-every-field', field: 'master' },
  { id: 'CT-422', requirement: 'plugin.add.requires-every-field', field: 'follower' },
  { id: 'CT-423', requirement: 'plugin.add.requires-every-field', field: 'mode' },
  { id: 'CT-424', requirement: 'plugin.add.requires-every-field', field: 'value' },
  { id: 'CT-425', requirement: 'plugin.add.requires-every-field', field: 'direction' },
]

/** What a server remembers of a connection must not fill the gap of the next request on it. */
async function expectRejectedOnSameConnection(session: Session, field: Field): Promise<void> {
  const { raw, rules } = session
  const incomplete = toJson({ ...rules.draft(), [field]: undefined })
  const { responses } = await raw({
    bytes: [post(session, toJson(rules.draft())), post(session, incomplete)],
    responses: 2,
  })
  // The connection may end after the first response.
  const [, second] = responses
  if (second !== undefined) expectStatus(second, 400)
}

const missingChecks = missing.map(
  ({ id, requirement, field }): Check => ({
    id,
    requirement,
    title: `POST without ${field} is rejected with 400 and adds nothing`,
    risk: 'write',
    async run(session) {
      const twin = session.rules.draft()
      const { [field]: value, ...body } = twin
      const elsewhere = [{ ...body, [`${field}_`]: value }, { ...body, rule: { [field]: value } }, { rule: twin }]
      await expectBodiesRejected(session, { bodies: [body, ...elsewhere].map(toJson), twin, status: 400 })
      await expectRejectedOnSameConnection(session, field)
    },
  }),
)

interface WrongField {
  /** The check that such a rule is rejected and not added. */
  readonly id: string
  readonly requirement: string
  /** The check that the status is 400. */
  readonly statusId: string
  readonly statusRequirement: string
  readonly what: string
  readonly field: Field
  /** Pieces of JSON that the field must not have. */
  readonly spellings: readonly string[]
  /** The other words of the rule. A server may validate the value only with some of them. */
  readonly words?: Pick<Draft, 'mode' | 'direction'>
}

/** No login, and one with a fraction: none may become another login. */
const notAnInteger = ['900000998.5', '"900000998"', '"abc"', '""', 'null', 'true', '[900000998]', '{}']
const notAString = ['1', 'null', 'true', '["same"]', '{"mult":1}']

const wrongTypes = (
  [
    { id: 'CT-431', statusId: 'CT-441', field: 'master', spellings: notAnInteger },
    { id: 'CT-432', statusId: 'CT-442', field: 'follower', spellings: notAnInteger },
    { id: 'CT-433', statusId: 'CT-443', field: 'mode', spellings: [...notAString, '["mult"]'] },
    {
      id: 'CT-434',
      statusId: 'CT-444',
      field: 'value',
      spellings: ['"1.5"', '"1,5"', '""', 'null', 'true', '[1.5]', '{}'],
    },
    { id: 'CT-435', statusId: 'CT-445', field: 'direction', spellings: notAString },
  ] as const
).map(
  (wrong): WrongField => ({
    ...wrong,
    requirement: 'plugin.add.wrong-type',
    statusRequirement: 'plugin.add.bad-request-is-400',
    what: `${wrong.field} of the wrong JSON type`,
  }),
)

const zero = ['0', '0.0', '-0', '0e5']
const negative = ['-1', '-0.01', '-1e-9', '-100000', '-1e-10', '-0.0000000000001', '-1e-300', '-5e-324']
const multSame = { mode: 'mult', direction: 'same' }
const fixedReverse = { mode: 'fixed', direction: 'reverse' }

const wrongValues = [
  { id: 'CT-451', statusId: 'CT-461', point: 'zero', what: 'value 0 in a mult rule', words: multSame },
  { id: 'CT-455', statusId: 'CT-465', point: 'zero', what: 'value 0 in a fixed reverse rule', words: fixedReverse },
  { id: 'CT-452', statusId: 'CT-462', point: 'negative', what: 'a negative value in a mult rule', words: multSame },
  {
    id: 'CT-456',
    statusId: 'CT-466',
    point: 'negative',
    what: 'a negative value in a fixed reverse rule',
    words: fixedReverse,
  },
].map(
  ({ point, ...wrong }): WrongField => ({
    ...wrong,
    requirement: 'plugin.add.value-not-positive',
    statusRequirement: 'plugin.add.bad-request-is-400',
    field: 'value',
    spellings: point === 'zero' ? zero : negative,
  }),
)

/** A documented word with white space at an edge, which a pattern or a trim may overlook. */
const edged = (word: string) => [`${word}\n`, `${word}\r\n`, `${word}\t`, `\n${word}`, `${word}\u00a0`]

const modes = [
  'lots',
  '',
  'MULT',
  'Fixed',
  'mul',
  'multipliers',
  'mult ',
  'fix',
  'fixed_lot',
  'lot',
  'm',
  'mult\0',
  ...edged('mult'),
  ...edged('fixed'),
]
const opposites = [
  'both',
  '',
  'SAME',
  'Reverse',
  'rev',
  'sam',
  'reversed',
  'opposite',
  ' same',
  'same ',
  'same\0',
  ...edged('same'),
  ...edged('reverse'),
]

const unlistedWords = (
  [
    { id: 'CT-453', statusId: 'CT-463', field: 'mode', words: modes },
    { id: 'CT-454', statusId: 'CT-464', field: 'direction', words: opposites },
  ] as const
).map(
  ({ id, statusId, field, words }): WrongField => ({
    id,
    statusId,
    requirement: 'plugin.add.unlisted-word',
    statusRequirement: 'plugin.add.bad-request-is-400',
    what: `an undocumented ${field}`,
    field,
    spellings: words.map((word) => JSON.stringify(word)),
  }),
)

/** The JSON text of a rule with one field replaced by another piece of JSON. */
function withSpelling(draft: Draft, field: Field, spelling: string): string {
  return toJson({ ...draft, [field]: 'REPLACED' }).replace('"REPLACED"', spelling)
}

const wrongFieldChecks = [...wrongTypes, ...wrongValues, ...unlistedWords].flatMap((wrong): Check[] => [
  {
    id: wrong.id,
    requirement: wrong.requirement,
    title: `POST with ${wrong.what} is rejected and adds nothing`,
    risk: 'write',
    async run(session) {
      const twin = session.rules.draft(wrong.words)
      const bodies = wrong.spellings.map((spelling) => withSpelling(twin, wrong.field, spelling))
      await expectBodiesRejected(session, { bodies, twin })
    },
  },
  {
    id: wrong.statusId,
    requirement: wrong.statusRequirement,
    title: `POST with ${wrong.what} is rejected with 400`,
    risk: 'write',
    async run(session) {
      const twin = session.rules.draft(wrong.words)
      const bodies = wrong.spellings.slice(0, 3).map((spelling) => withSpelling(twin, wrong.field, spelling))
      await expectBodiesRejected(session, { bodies, twin, status: 400 })
    },
  },
])

const brokenTexts: readonly {
  readonly id: string
  readonly body: string
  readonly damage: (json: string) => string
}[] = [
  { id: 'CT-471', body: 'truncated JSON', damage: (json) => json.slice(0, -1) },
  { id: 'CT-472', body: 'JSON followed by other text', damage: (json) => `${json} x` },
  { id: 'CT-473', body: 'JSON followed by a second rule', damage: (json) => json + json },
  { id: 'CT-474', body: 'a trailing comma in the JSON', damage: (json) => json.replace(/}$/, ',}') },
  { id: 'CT-475', body: 'single-quoted JSON', damage: (json) => json.replaceAll('"', "'") },
  { id: 'CT-476', body: 'an unquoted field name', damage: (json) => json.replace('"master"', 'master') },
  { id: 'CT-477', body: 'a comment in the JSON', damage: (json) => json.replace('{', '{/* a rule */') },
  { id: 'CT-478', body: 'value NaN', damage: withValue('NaN') },
  { id: 'CT-470', body: 'value Infinity', damage: withValue('Infinity') },
  { id: 'CT-479', body: 'value 01.5', damage: withValue('01.5') },
  { id: 'CT-485', body: 'JSON that lacks the opening brace', damage: (json) => json.slice(1) },
  { id: 'CT-486', body: 'a missing comma in the JSON', damage: (json) => json.replace(',"follower"', ' "follower"') },
  { id: 'CT-487', body: 'value .5', damage: withValue('.5') },
  { id: 'CT-488', body: 'value 1.', damage: withValue('1.') },
  { id: 'CT-489', body: 'value +1', damage: withValue('+1') },
  { id: 'CT-496', body: 'JSON preceded by other text', damage: (json) => `x${json}` },
  { id: 'CT-497', body: 'JSON followed by a NUL byte', damage: (json) => `${json}\0` },
  { id: 'CT-498', body: 'value 0x1', damage: withValue('0x1') },
  { id: 'CT-499', body: 'an unescaped line break in a string', damage: (json) => json.replace('{', '{"note":"a\nb",') },
  { id: 'CT-480', body: 'a form-encoded body', damage: toForm },
]

function withValue(spelling: string): (json: string) => string {
  return (json) => json.replace(/"value":[\d.]+/, `"value":${spelling}`)
}

function toForm(json: string): string {
  return new URLSearchParams(JSON.parse(json) as Record<string, string>).toString()
}

const brokenChecks = brokenTexts.map(
  ({ id, body, damage }): Check => ({
    id,
    requirement: 'plugin.add.invalid-json',
    title: `POST with ${body} is rejected with 400 and adds nothing`,
    risk: 'write',
    async run(session) {
      const twin = session.rules.draft()
      await expectBodiesRejected(session, { bodies: [damage(toJson(twin))], twin, status: 400 })
    },
  }),
)

const emptyChecks = [
  { id: 'CT-481', body: '', what: 'an empty body' },
  { id: 'CT-482', body: ' \r\n\t ', what: 'a whitespace-only body' },
].map(
  ({ id, body, what }): Check => ({
    id,
    requirement: 'plugin.add.invalid-json',
    title: `POST with ${what} is rejected with 400 and adds nothing`,
    risk: 'write',
    run: (session) => expectBodiesRejected(session, { bodies: [body], twin: session.rules.draft(), status: 400 }),
  }),
)

const noObjects = ['[]', 'null', 'true', '1', '"rule"']

/** A rule in formats that frameworks read besides JSON. */
function otherFormats(fields: readonly (readonly [string, unknown])[]) {
  const joined = (line: (name: string, value: unknown) => string, between = '') =>
    fields.map(([name, value]) => line(name, value)).join(between)
  const part = (name: string, value: unknown) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return [
    { contentType: 'application/x-www-form-urlencoded', body: joined((name, value) => `${name}=${value}`, '&') },
    { contentType: 'multipart/form-data; boundary=part', body: `${joined(part)}--part--\r\n` },
    { contentType: 'application/xml', body: `<rule>${joined((name, value) => `<${name}>${value}</${name}>`)}</rule>` },
    { contentType: 'application/yaml', body: joined((name, value) => `${name}: ${value}`, '\n') },
  ]
}

/** Clauses 4.2 and 7: POST /api/rules with a body that must be rejected. */
export const addRejectedChecks: readonly Check[] = [
  ...missingChecks,
  ...wrongFieldChecks,
  ...brokenChecks,
  ...emptyChecks,
  {
    id: 'CT-483',
    requirement: 'plugin.add.wrong-type',
    title: 'POST of a JSON array, null, boolean, number or string is rejected and adds nothing',
    risk: 'write',
    async run(session) {
      const twin = session.rules.draft()
      await expectBodiesRejected(session, { bodies: [...noObjects, toJson([twin])], twin })
    },
  },
  {
    id: 'CT-484',
    requirement: 'plugin.add.bad-request-is-400',
    title: 'POST of a JSON array, null, boolean, number or string is rejected with 400',
    risk: 'write',
    async run(session) {
      await expectBodiesRejected(session, { bodies: noObjects, twin: session.rules.draft(), status: 400 })
    },
  },
  {
    id: 'CT-426',
    requirement: 'plugin.add.invalid-json',
    title: 'POST of a rule as a form, XML or YAML is rejected and adds nothing',
    risk: 'write',
    async run({ plugin, rules }) {
      const before = await rules.read()
      for (const { contentType, body } of otherFormats(Object.entries(rules.draft()))) {
        for (const type of [contentType, 'application/json']) {
          expectErrorResponse(await plugin.send({ method: 'POST', path: '/api/rules', body, contentType: type }))
          expectUnchanged(await rules.read(), before)
        }
      }
    },
  },
]
