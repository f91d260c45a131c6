import { reject } from '../../defect-parts/reject.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'
import { lenient } from './lenient.ts'

const fromForm = (text: string) => {
  const fields = [...new URLSearchParams(text)]
  const members = fields.map(([name, value]) => `"${name}":${/^[\d.]+$/.test(value) ? value : JSON.stringify(value)}`)
  return /^\w+=/.test(text) ? `{${members.join(',')}}` : text
}

/** Clauses 4.2 and 7: bodies that are no JSON, or no object. */
export const addJsonDefects: readonly Defect[] = [
  {
    id: 'add.text-behind-json-ignored',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Text after the closing brace is ignored.',
    override: lenient((text) => text.replace(/}[^}]*$/, '}')),
  },
  {
    id: 'add.second-rule-ignored',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Of two rules in one body the first is added, and the second is ignored.',
    override: lenient((text) => text.replace(/}\{.*$/, '}')),
  },
  {
    id: 'add.missing-brace-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A body without its closing brace is accepted.',
    override: lenient((text) => (/[^}\s]\s*$/.test(text) && text.startsWith('{') ? `${text}}` : text)),
  },
  {
    id: 'add.infinity-accepted',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Infinity is accepted as a value.',
    override: lenient((text) => text.replace(/:Infinity\b/, ':1')),
  },
  {
    id: 'add.comma-before-brace-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A trailing comma is accepted.',
    override: lenient((text) => text.replace(/,\s*}/, '}')),
  },
  {
    id: 'add.single-quotes-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Single quotes are accepted.',
    override: lenient((text) => text.replaceAll("'", '"')),
  },
  {
    id: 'add.comments-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Comments are accepted in a body.',
    override: lenient((text) => text.replace(/\/\*.*?\*\//g, '')),
  },
  {
    id: 'add.leading-zero-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'A number with a leading zero is accepted.',
    override: lenient((text) => text.replace(/:0+(?=\d)/g, ':')),
  },
  {
    id: 'add.form-accepted',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Form data is accepted instead of JSON.',
    override: lenient(fromForm),
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
    breaks: ['plugin.add.empty-body'],
    summary: 'An empty body returns 411.',
    override: ({ parseJson }) => ({
      parseJson: (text) => (text === '' ? reject(411, 'The length of the body is missing.') : parseJson(text)),
    }),
  },
  {
    id: 'add.blank-body-repeats-the-body-before',
    breaks: ['plugin.add.empty-body'],
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
    breaks: ['plugin.add.not-an-object'],
    summary: 'Of an array of rules the first is added, and the others are ignored.',
    override: ({ membersOf }) => ({
      membersOf: (value) => membersOf(Array.isArray(value) && value.length > 0 ? value[0] : value),
    }),
  },
  {
    id: 'add.null-body-is-500',
    breaks: ['plugin.add.not-an-object-is-400'],
    summary: 'The body null returns 500.',
    override: ({ membersOf }) => ({
      membersOf: (value) => (value === null ? reject(500, 'Internal server error.') : membersOf(value)),
    }),
  },
  {
    id: 'add.scalar-body-answered-with-415',
    breaks: ['plugin.add.not-an-object-is-400'],
    summary: 'JSON that is neither an object nor an array returns 415.',
    override: ({ membersOf }) => ({
      membersOf: (value) =>
        typeof value === 'string' || typeof value === 'boolean' ? reject(415, 'This is no JSON.') : membersOf(value),
    }),
  },
  {
    id: 'add.text-before-json-ignored',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Text before the first brace is ignored.',
    override: lenient((text) => text.replace(/^[^{]+(?={)/, '')),
  },
  {
    id: 'add.body-ends-at-nul',
    breaks: ['plugin.add.invalid-json'],
    summary: 'The body ends at its first NUL, as in C.',
    override: lenient((text) => `${text.split('\0')[0]}`),
  },
  {
    id: 'add.hexadecimal-forgiven',
    breaks: ['plugin.add.invalid-json'],
    summary: 'Hexadecimal numbers are accepted.',
    override: lenient((text) => text.replace(/:0x([0-9a-f]+)/gi, (_, digits) => `:${Number.parseInt(digits, 16)}`)),
  },
  {
    id: 'add.line-break-in-text-forgiven',
    breaks: ['plugin.add.invalid-json'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'An unescaped line break in a string is accepted.',
    override: lenient((text) => text.replaceAll('\n', ' ')),
  },
]
