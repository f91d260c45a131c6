import { correctsBody, withClosingBrace, withoutTrailingComma } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/reject.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'

/** The JSON of an object with these members; what looks like a number is one. */
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

/** A server that accepts a body that is not valid JSON: it corrects the body first. */
function corrects(id: string, summary: string, correct: (text: string) => string): Defect {
  return { id, breaks: ['plugin.add.invalid-json'], summary, override: correctsBody(correct) }
}

/** Clauses 4.2 and 7: bodies that are not valid JSON, or not an object. */
export const addJsonDefects: readonly Defect[] = [
  corrects('add.text-behind-json-ignored', 'Text after the closing brace is ignored.', (text) =>
    text.replace(/}[^}]*$/, '}'),
  ),
  corrects(
    'add.second-rule-ignored',
    'Of two rules in one body the first is added, and the second is ignored.',
    (text) => text.replace(/}\{.*$/, '}'),
  ),
  corrects('add.missing-brace-forgiven', 'A body without its closing brace is accepted.', withClosingBrace),
  corrects('add.infinity-accepted', 'Infinity is accepted as a value.', (text) => text.replace(/:Infinity\b/, ':1')),
  corrects('add.nan-accepted', 'NaN is accepted as a value.', (text) => text.replace(/:NaN\b/, ':1')),
  corrects('add.comma-before-brace-forgiven', 'A trailing comma is accepted.', withoutTrailingComma),
  corrects('add.single-quotes-forgiven', 'Single quotes are accepted.', (text) => text.replaceAll("'", '"')),
  corrects('add.comments-forgiven', 'Comments are accepted in a body.', (text) => text.replace(/\/\*.*?\*\//g, '')),
  corrects('add.leading-zero-forgiven', 'A number with a leading zero is accepted.', (text) =>
    text.replace(/:0+(?=\d)/g, ':'),
  ),
  corrects('add.yaml-accepted', 'YAML is accepted instead of JSON.', fromYaml),
  corrects('add.form-accepted', 'Form data is accepted instead of JSON.', fromForm),
  {
    id: 'add.xml-accepted-by-its-type',
    breaks: ['plugin.add.invalid-json'],
    summary: 'XML is accepted instead of JSON if the Content-Type says so.',
    override: ({ judgeContentType, parseJson }) => {
      let isXml = false
      return {
        judgeContentType: (type = '') => {
          isXml = type.endsWith('/xml')
          return isXml ? undefined : judgeContentType(type)
        },
        parseJson: (text) => parseJson(isXml ? fromXml(text) : text),
      }
    },
  },
  {
    id: 'add.invalid-json-is-422',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Invalid JSON returns 422.',
    override: ({ parseJson }) => ({
      parseJson: (text) => {
        try {
          return parseJson(text)
        } catch (error) {
          throw error instanceof ErrorResponse && text.trim() !== '' ? new ErrorResponse(422, error.message) : error
        }
      },
    }),
  },
  {
    id: 'add.invalid-json-repeats-the-body-before',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Invalid JSON adds the rule of the previous body again.',
    override: ({ parseJson }) => {
      let before: unknown
      return {
        parseJson: (text) => {
          try {
            before = parseJson(text)
          } catch (error) {
            if (before === undefined) throw error
          }
          return before
        },
      }
    },
  },
  {
    id: 'add.empty-body-is-411',
    breaks: ['plugin.add.invalid-json'],
    summary: 'An empty body returns 411.',
    override: correctsBody((text) => (text === '' ? reject(411, 'The length of the body is missing.') : text)),
  },
  {
    id: 'add.blank-body-repeats-the-body-before',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A body of white space adds the rule of the previous body again.',
    override: ({ parseJson }) => {
      let buffer = ''
      return {
        parseJson: (text) => {
          buffer = text.trim() || buffer
          return parseJson(buffer)
        },
      }
    },
  },
  {
    id: 'add.first-of-an-array',
    breaks: ['plugin.add.wrong-type'],
    summary: 'Of an array of rules the first is added, and the others are ignored.',
    override: ({ membersOf }) => ({
      membersOf: (value) => membersOf(Array.isArray(value) && value.length > 0 ? value[0] : value),
    }),
  },
  {
    id: 'add.null-body-is-500',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'The body null returns 500.',
    override: ({ membersOf }) => ({
      membersOf: (value) => (value === null ? reject(500, 'Internal server error.') : membersOf(value)),
    }),
  },
  {
    id: 'add.scalar-body-answered-with-415',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'JSON that is neither an object nor an array returns 415.',
    override: ({ membersOf }) => ({
      membersOf: (value) =>
        typeof value === 'string' || typeof value === 'boolean' ? reject(415, 'This is no JSON.') : membersOf(value),
    }),
  },
  corrects('add.text-before-json-ignored', 'Text before the first brace is ignored.', (text) =>
    text.replace(/^[^{]+(?={)/, ''),
  ),
  corrects('add.body-ends-at-nul', 'The body ends at its first NUL, as in C.', (text) => `${text.split('\0')[0]}`),
  corrects('add.hexadecimal-forgiven', 'Hexadecimal numbers are accepted.', (text) =>
    text.replace(/:0x([0-9a-f]+)/gi, (_, digits) => `:${Number.parseInt(digits, 16)}`),
  ),
  {
    id: 'add.line-break-in-text-forgiven',
    breaks: ['plugin.add.invalid-json'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'An unescaped line break in a string is accepted.',
    override: correctsBody((text) => text.replaceAll('\n', ' ')),
  },
  corrects('add.first-brace-forgiven', 'A missing opening brace is accepted.', (text) =>
    /^\s*"master"/.test(text) ? `{${text}` : text,
  ),
  corrects('add.missing-comma-forgiven', 'A missing comma between two members is accepted.', (text) =>
    text.replace(/([\d"])\s+"(?=\w+"\s*:)/g, '$1,"'),
  ),
  corrects('add.numeral-may-begin-with-point', 'A number like .5 is accepted.', (text) =>
    text.replace(/(:\s*)\.(?=\d)/g, '$10.'),
  ),
  corrects('add.numeral-may-end-with-point', 'A number like 1. is accepted.', (text) =>
    text.replace(/(:\s*\d+)\.(?=[,}\s])/g, '$1'),
  ),
  corrects('add.numeral-may-have-a-plus', 'A number like +1 is accepted.', (text) =>
    text.replace(/(:\s*)\+(?=\d)/g, '$1'),
  ),
]
