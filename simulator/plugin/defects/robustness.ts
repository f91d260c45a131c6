import type { IncomingHttpHeaders } from 'node:http'
import { stringify } from 'lossless-json'
import { correctsBody } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/reject.ts'
import { supply } from '../../defect-parts/resource-pool.ts'
import type { Members } from '../../server/body.ts'
import type { Defect } from './defect.ts'
import { listsRule, losing } from './overrides.ts'

const deepNesting = /([[{]("a":)?){5000}/
const deepArrays = /\[{5000}/
const deepObjects = /({"a":){5000}/

/** Several MiB. A length of 4 GiB and more is not that of a body. */
function isLarge(headers: IncomingHttpHeaders): boolean {
  const length = Number(headers['content-length'])
  return length > 1_000_000 && length < 2 ** 32
}

/** The rule of a server that fills in default values. */
const defaultRule = '{"master":1,"follower":2,"mode":"mult","value":1,"direction":"same"}'

/** What any server should withstand. */
export const robustnessDefects: readonly Defect[] = [
  {
    id: 'robust.stack-overflows',
    breaks: ['plugin.robust.survives'],
    summary: 'Deeply nested JSON overflows the stack and crashes the server.',
    override: ({ parseJson, readApiKeyHeader }) => {
      const stack = supply(1)
      return {
        readApiKeyHeader: (headers) => stack.need(readApiKeyHeader(headers)),
        parseJson: (text) => {
          if (deepNesting.test(text)) stack.lose()
          return stack.need(parseJson(text))
        },
      }
    },
  },
  {
    id: 'robust.deep-json-returns-200',
    breaks: ['plugin.robust.survives'],
    summary: 'JSON with deeply nested arrays returns 200 and adds nothing.',
    override: ({ parseJson }) => ({
      parseJson: (text) => (deepArrays.test(text) ? reject(200, 'The JSON is nested too deeply.') : parseJson(text)),
    }),
  },
  {
    id: 'robust.prototype-returns-200',
    breaks: ['plugin.robust.prototype-member'],
    summary: 'A body with the member __proto__ returns 200 and adds nothing.',
    override: ({ parseJson }) => ({
      parseJson: (text) => (text.includes('"__proto__"') ? reject(200, 'The member is ignored.') : parseJson(text)),
    }),
  },
  {
    id: 'robust.prototype-makes-the-next-fail',
    breaks: ['plugin.robust.prototype-member'],
    summary: 'After a body with the member constructor, the next POST without direction returns 500.',
    override: ({ parseJson }) => {
      let isPolluted = false
      return {
        parseJson: (text) => {
          const wasPolluted = isPolluted
          isPolluted = text.includes('"constructor"')
          if (wasPolluted && !text.includes('"direction"')) reject(500, 'Internal error.')
          return parseJson(text)
        },
      }
    },
  },
  {
    id: 'robust.invalid-utf8-returns-200',
    breaks: ['plugin.robust.survives'],
    summary: 'A body that is not UTF-8 returns 200 and adds nothing.',
    override: ({ decodeText }) => ({
      decodeText: (bytes) =>
        Buffer.from(Buffer.from(bytes).toString()).equals(bytes) ? decodeText(bytes) : reject(200, 'Not UTF-8.'),
    }),
  },
  {
    id: 'robust.deep-json-is-an-empty-rule',
    breaks: ['plugin.robust.survives'],
    summary: 'JSON with deeply nested objects adds a rule with default values.',
    override: correctsBody((text) => (deepObjects.test(text) ? defaultRule : text)),
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
    id: 'robust.infinity-is-null',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'A value of 1e400 is stored as infinity and listed as null.',
    override: (hooks) => ({
      fitValue: (value) => value,
      ...listsRule(({ value }) => (Number.isFinite(value) ? {} : { value: null }))(hooks),
    }),
  },
  {
    id: 'robust.body-echoed-byte-by-byte',
    breaks: ['plugin.robust.survives'],
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
    breaks: ['plugin.robust.survives'],
    summary: 'Bytes that are not UTF-8 are dropped, and the rest is accepted as a rule.',
    override: () => ({ decodeText: (bytes) => Buffer.from(bytes).toString('utf8').replaceAll('\uFFFD', '') }),
  },
  {
    id: 'robust.surrogate-bytes-keep-their-worker',
    breaks: ['plugin.robust.survives'],
    summary: 'A surrogate in the bytes of a body throws in the decoder, and the server stops responding.',
    override: losing(1, ({ decodeText }, lose) => ({
      decodeText: (bytes) => {
        if (Buffer.from(bytes).includes(Buffer.from([0xed, 0xa0, 0x80]))) lose()
        return decodeText(bytes)
      },
    })),
  },
  {
    id: 'robust.large-body-takes-all-memory',
    breaks: ['plugin.robust.survives'],
    summary: 'A body of several MiB uses the memory that later requests need.',
    override: ({ readApiKeyHeader }) => {
      const memory = supply(1)
      return {
        readApiKeyHeader: (headers) => {
          memory.need(undefined)
          if (isLarge(headers)) memory.lose()
          return readApiKeyHeader(headers)
        },
      }
    },
  },
  {
    id: 'robust.end-of-large-body-replaced',
    breaks: ['plugin.robust.survives'],
    summary: 'Members at the end of a large body are replaced by default values.',
    override: (hooks) => ({
      bodyLimitBytes: Number.POSITIVE_INFINITY,
      ...correctsBody((text) => (text.length > 1_000_000 ? defaultRule : text))(hooks),
    }),
  },
  {
    id: 'robust.nothing-saved-after-large-body',
    breaks: ['plugin.robust.survives'],
    summary: 'After a body of several MiB the file is closed, and every change returns 500.',
    override: ({ readApiKeyHeader, save, notSaved }) => {
      let isClosed = false
      return {
        readApiKeyHeader: (headers) => {
          isClosed ||= isLarge(headers)
          return readApiKeyHeader(headers)
        },
        save: async (write, change) => {
          if (isClosed) throw notSaved()
          await save(write, change)
        },
      }
    },
  },
  {
    id: 'robust.broken-off-body-is-added',
    breaks: ['plugin.robust.survives'],
    summary: 'A truncated body is added as a rule if it can be parsed.',
    override: () => ({ brokenOff: (bytes) => bytes }),
  },
  {
    id: 'robust.broken-off-body-keeps-its-worker',
    breaks: ['plugin.robust.survives'],
    summary: 'Each truncated body blocks one of two workers.',
    override: losing(2, ({ brokenOff }, lose) => ({
      brokenOff: (bytes) => {
        lose()
        return brokenOff(bytes)
      },
    })),
  },
  {
    id: 'robust.long-header-runs-over',
    breaks: ['plugin.robust.survives'],
    summary: 'A long header overflows its buffer and crashes the server.',
    override: losing(1, ({ unparsable }, lose) => ({
      unparsable: (problem, code) => {
        if (problem === 'headers-too-large') lose()
        return unparsable(problem, code)
      },
    })),
  },
  {
    id: 'robust.noise-keeps-its-worker',
    breaks: ['plugin.robust.survives'],
    summary: 'Each connection that does not speak HTTP blocks one of two workers.',
    override: losing(2, ({ unparsable }, lose) => ({
      unparsable: (problem, code) => {
        lose()
        return unparsable(problem, code)
      },
    })),
  },
  {
    id: 'robust.long-path-runs-over-the-key',
    breaks: ['plugin.robust.survives'],
    summary: 'A long path overwrites the key, and every later request is rejected.',
    override: ({ splitTarget, sameKey }) => {
      let overwritten = false
      return {
        splitTarget: (target) => {
          overwritten ||= target.length > 4096
          return splitTarget(target)
        },
        sameKey: (given, key) => !overwritten && sameKey(given, key),
      }
    },
  },
  {
    id: 'robust.long-path-is-the-path-before',
    breaks: ['plugin.robust.survives'],
    summary: 'A path that is too long for its buffer is replaced by the path of the previous request.',
    override: ({ splitTarget }) => {
      let buffer = { path: '', query: '' }
      return {
        splitTarget: (target) => {
          if (target.length < 4096) buffer = { ...splitTarget(target) }
          return buffer
        },
      }
    },
  },
]
