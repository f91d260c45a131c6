import { stringify } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import type { Members } from '../../server/body.ts'
import { Dropped } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'

/** Something that can break inside a server and stays broken until it is started again. */
function breakable() {
  let broken = false
  return {
    /** Breaks it. */
    burst: () => {
      broken = true
    },
    /** To be asked with each request: once it is broken, none gets an answer. */
    hold: <Value>(value: Value): Value => {
      if (broken) throw new Dropped('The server is gone.')
      return value
    },
  }
}

const textOfInfinity = /"-?Infinity"/g

/** What any server should withstand. */
export const robustnessDefects: readonly Defect[] = [
  {
    id: 'robust.stack-overflows',
    breaks: ['plugin.robust.deep-json'],
    summary: 'Deeply nested JSON overflows the stack and crashes the server.',
    override: ({ parseJson, readApiKeyHeader }) => {
      const stack = breakable()
      return {
        readApiKeyHeader: (headers) => stack.hold(readApiKeyHeader(headers)),
        parseJson: (text) => {
          if (/([[{]("a":)?){5000}/.test(text)) stack.burst()
          return stack.hold(parseJson(text))
        },
      }
    },
  },
  {
    id: 'robust.deep-json-is-an-empty-rule',
    breaks: ['plugin.robust.deep-json'],
    summary: 'Deeply nested JSON adds a rule with default values.',
    override: ({ parseJson }) => ({
      parseJson: (text) =>
        /([[{]("a":)?){5000}/.test(text)
          ? parseJson('{"master":1,"follower":2,"mode":"mult","value":1,"direction":"same"}')
          : parseJson(text),
    }),
  },
  {
    id: 'robust.prototype-fills-in',
    breaks: ['plugin.robust.prototype-member'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'A missing field is read from the member __proto__.',
    override: ({ fieldOf }) => ({
      fieldOf: (members, field) => {
        const [, prototype] = Object.entries(members).find(([name]) => name === '__proto__') ?? []
        return Object.hasOwn(members, field) ? members[field] : fieldOf((prototype ?? members) as Members, field)
      },
    }),
  },
  {
    id: 'robust.prototype-pollutes-later-requests',
    breaks: ['plugin.robust.prototype-member'],
    summary: 'The member constructor.prototype sets fields of later bodies.',
    override: ({ fieldOf, membersOf }) => {
      const polluted: Record<string, unknown> = {}
      return {
        membersOf: (value) => {
          const members = membersOf(value)
          const [, own] = Object.entries(members).find(([name]) => name === 'constructor') ?? []
          Object.assign(polluted, (own as Members | undefined)?.prototype)
          return members
        },
        fieldOf: (members, field) =>
          Object.hasOwn(members, field) || !(field in polluted) ? fieldOf(members, field) : polluted[field],
      }
    },
  },
  {
    id: 'robust.infinity-in-the-list',
    breaks: ['plugin.robust.overflowing-number'],
    summary: 'A value of 1e400 is stored as infinity and listed as inf.',
    override: ({ ruleBody }) => ({
      fitValue: (value) => value,
      ruleBody: (rule, index) => {
        const body = ruleBody(rule, index) as { readonly [member: string]: string }
        return Number.isFinite(rule.value) ? body : { ...body, value: String(rule.value) }
      },
      encodeJson: (value) => Buffer.from((stringify(value) ?? 'null').replace(textOfInfinity, 'inf')),
    }),
  },
  {
    id: 'robust.infinity-is-null',
    breaks: ['plugin.robust.overflowing-number'],
    summary: 'A value of 1e400 is stored as infinity and listed as null.',
    override: ({ ruleBody }) => ({
      fitValue: (value) => value,
      ruleBody: (rule, index) => {
        const body = ruleBody(rule, index) as { readonly [member: string]: string }
        return Number.isFinite(rule.value) ? body : { ...body, value: null }
      },
    }),
  },
  {
    id: 'robust.body-echoed-byte-by-byte',
    breaks: ['plugin.robust.invalid-utf-8'],
    summary: 'The error text repeats the sent direction with its raw bytes.',
    override: ({ readDirection }) => ({
      decodeText: (bytes) => Buffer.from(bytes).toString('latin1'),
      readDirection: (value) =>
        typeof value === 'string' && value !== 'same' && value !== 'reverse'
          ? reject(400, `The direction ${value} is unknown.`)
          : readDirection(value),
      encodeJson: (value) => Buffer.from(stringify(value) ?? 'null', 'latin1'),
    }),
  },
  {
    id: 'robust.invalid-bytes-dropped',
    breaks: ['plugin.robust.invalid-utf-8'],
    summary: 'Bytes that are not UTF-8 are dropped, and the rest is accepted as a rule.',
    override: () => ({ decodeText: (bytes) => Buffer.from(bytes).toString('utf8').replaceAll('\uFFFD', '') }),
  },
]
