import { catching } from '../../defect-parts/events.ts'
import { correctsBody, withClosingBrace } from '../../defect-parts/json-body.ts'
import { fail, reject } from '../../defect-parts/wire.ts'
import { ruleMembers } from '../model/rule.ts'
import { type Defect, masked, rows } from './defect.ts'
import { argument, instead } from './overrides.ts'

/** A JSON object with these members. What looks like a number is written as one. */
function objectOf(fields: readonly (readonly string[])[]): string {
  const members = fields.map(
    ([name, value = '']) => `"${name}":${/^[\d.]+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  return `{${members.join(',')}}`
}

const fromForm = (text: string) => (/^\w+=/.test(text) ? objectOf([...new URLSearchParams(text)]) : text)

const fromYaml = (text: string) =>
  /^\w+: /.test(text) ? objectOf(text.split('\n').map((line) => line.split(': '))) : text

const fromXml = (text: string) =>
  objectOf([...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = '', value = '']) => [name, value]))

/** A server that accepts a body that is not valid JSON, because it corrects the body first. */
const correctsInvalid = (wrong: RegExp, correct: string) => correctsBody((text) => text.replace(wrong, correct))

/** Clauses 4.2 and 7: bodies that are not valid JSON, or not an object. */
export const addJsonDefects: readonly Defect[] = [
  ...rows('plugin.add.invalid-json', {
    'add.xml-accepted XML is accepted instead of JSON if the Content-Type says so.': (hooks) => ({
      judgeContentType: (type) => (type?.endsWith('/xml') ? undefined : hooks.judgeContentType(type)),
      parseJson: (text) =>
        hooks.parseJson(hooks.known.headers['content-type']?.endsWith('/xml') ? fromXml(text) : text),
    }),
    'add.invalid-json-returns-422 Invalid JSON returns 422.': instead('parseJson', ({ parseJson }, text) =>
      text.trim() === ''
        ? parseJson(text)
        : catching(parseJson, (error) => reject(422, (error as Error).message))(text),
    ),
    'add.invalid-json-repeats-previous-body Invalid JSON adds the rule of the previous body again.': () =>
      instead('parseJson', ({ parseJson, known }, text) => {
        const previous = known.sent.at(-1)
        return previous === undefined ? parseJson(text) : catching(parseJson, () => previous)(text)
      }),
    'add.empty-body-returns-411 An empty body returns 411.': () =>
      correctsBody((text) => (text === '' ? reject(411, 'The length of the body is missing.') : text)),
    'add.blank-body-repeats-previous-body A body of white space adds the rule of the previous body again.': instead(
      'parseJson',
      ({ parseJson, known }, text) => (text.trim() === '' && known.sent.at(-1)) || parseJson(text),
    ),
    'add.raw-line-break-accepted An unescaped line break in a string is accepted.': masked({
      'plugin.body.unknown-member': 'refused',
    })(correctsBody((text) => text.replaceAll('\n', ' '))),
    'add.no-break-space-ignored No-break spaces before a body are ignored.': correctsInvalid(/^\u00a0+/, ''),
    'add.trailing-text-ignored Text after the closing brace is ignored.': correctsInvalid(/}[^}]*$/, '}'),
    'add.text-after-4-kib-ignored Text that follows the closing brace and 4,096 spaces is ignored.': () =>
      correctsInvalid(/} {4096}.*$/s, '}'),
    'add.second-rule-ignored Of two rules in one body the first is added, and the second is ignored.': () =>
      correctsInvalid(/}\{.*$/, '}'),
    'add.missing-closing-brace-accepted A body without its closing brace is accepted.': correctsBody(withClosingBrace),
    'add.infinity-accepted Infinity is accepted as a value.': correctsInvalid(/:Infinity\b/, ':1'),
    'add.nan-accepted NaN is accepted as a value.': correctsInvalid(/:NaN\b/, ':1'),
    'add.nan-as-unknown-field-accepted NaN is accepted in an unknown field, as by the JSON parser of Python.': masked({
      'plugin.body.unknown-member': 'refused',
    })(correctsInvalid(/(?<!"value"):NaN\b/, ':1')),
    'add.trailing-comma-accepted A trailing comma is accepted.': correctsInvalid(/,\s*}/, '}'),
    'add.repeated-comma-accepted A repeated comma between two members is accepted.': correctsInvalid(/,\s*,/g, ','),
    'add.semicolon-accepted A semicolon is accepted instead of a comma.': correctsInvalid(/;(?=\s*")/g, ','),
    'add.single-quotes-accepted Single quotes are accepted.': correctsInvalid(/'/g, '"'),
    'add.comments-accepted Comments are accepted in a body.': correctsInvalid(/\/\*.*?\*\//g, ''),
    'add.leading-zero-accepted A number with a leading zero is accepted.': correctsInvalid(/:0+(?=\d)/g, ':'),
    'add.yaml-accepted YAML is accepted instead of JSON.': correctsBody(fromYaml),
    'add.form-accepted Form data is accepted instead of JSON.': correctsBody(fromForm),
    'add.leading-text-ignored Text before the first brace is ignored.': correctsInvalid(/^[^{]+(?={)/, ''),
    'add.body-ends-at-nul The body ends at its first NUL, as in C.': correctsInvalid(/\0.*$/s, ''),
    'add.hexadecimal-accepted Hexadecimal numbers are accepted.': () =>
      correctsBody((text) => text.replace(/:0x([0-9a-f]+)/gi, (_, digits) => `:${Number.parseInt(digits, 16)}`)),
    'add.missing-opening-brace-accepted A missing opening brace is accepted.': correctsInvalid(/^(?=\s*"master")/, '{'),
    'add.missing-comma-accepted A missing comma between two members is accepted.': () =>
      correctsInvalid(/([\d"])\s+"(?=\w+"\s*:)/g, '$1,"'),
    'add.number-without-leading-digit-accepted A number like .5 is valid.': correctsInvalid(/(:\s*)\.(?=\d)/g, '$10.'),
    'add.number-with-trailing-point-accepted A number like 1. is accepted.': () =>
      correctsInvalid(/(:\s*\d+)\.(?=[,}\s])/g, '$1'),
    'add.number-with-plus-accepted A number like +1 is accepted.': correctsInvalid(/(:\s*)\+(?=\d)/g, '$1'),
  }),
  ...rows('plugin.add.wrong-type', {
    'add.first-of-array-added Of an array of rules the first is added, and the others are ignored.': () =>
      argument('membersOf')((value) => (Array.isArray(value) && value.length > 0 ? value[0] : value)),
    'add.array-of-values-accepted An array of the five values, in the order of the fields, is accepted.': () =>
      argument('membersOf')((value) =>
        Array.isArray(value) ? Object.fromEntries(value.map((each, at) => [ruleMembers[at], each])) : value,
      ),
  }),
  ...rows('plugin.add.bad-request-is-400', {
    'add.null-body-returns-500 The body null returns 500.': argument('membersOf')((value) => value ?? fail()),
    'add.lone-surrogate-returns-500 A body with half of a surrogate pair returns 500.': () =>
      correctsBody((text) => (/\\ud[89ab]..(?!\\ud[c-f])/i.test(text) ? fail() : text)),
    'add.scalar-body-returns-415 JSON that is neither an object nor an array returns 415.': argument('membersOf')(
      (value) => (typeof value === 'string' || typeof value === 'boolean' ? reject(415, 'This is no JSON.') : value),
    ),
  }),
]
