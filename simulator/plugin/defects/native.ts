import { setTimeout as pause } from 'node:timers/promises'
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { withMembers } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { losing, readsIndex } from './overrides.ts'

/** A server whose error texts end with what should have stayed inside. */
function discloses(id: string, summary: string, inside: (target: string) => string): Defect {
  const override: Defect['override'] = ({ splitTarget, errorBody }) => {
    let target = ''
    return {
      splitTarget: (given) => {
        target = given
        return splitTarget(given)
      },
      errorBody: (message, status) => errorBody(`${message} ${inside(target)}`.trim(), status),
    }
  }
  return { id, breaks: ['plugin.errors.no-internals'], summary, override }
}

/** The start of a numeral, as a buffer of fixed size holds it. */
function cutNumeral(value: unknown, length: number): unknown {
  return isLosslessNumber(value) ? new LosslessNumber(value.value.slice(0, length)) : value
}

/** What a server in C or C++ makes of the bytes that it reads: buffers of fixed size, NUL at the end, printf. */
export const nativeDefects: readonly Defect[] = [
  {
    id: 'native.body-of-two-packets',
    breaks: ['plugin.http.any-framing'],
    summary: 'A body is read with two calls of recv, and what arrives after them is ignored.',
    override: ({ joinBody }) => ({ joinBody: (packets) => joinBody(packets.slice(0, 2)) }),
  },
  {
    id: 'native.length-in-16-bits',
    breaks: ['plugin.robust.survives'],
    summary: 'The length of a body is stored in 16 bits, so a body of 64 KiB and more is cut.',
    override: ({ joinBody }) => ({
      joinBody: (packets) => {
        const bytes = joinBody(packets)
        return bytes.subarray(0, bytes.length % 2 ** 16)
      },
    }),
  },
  {
    id: 'native.value-buffer',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A value is read from a buffer that holds 18 characters.',
    override: ({ readValue }) => ({ readValue: (value) => readValue(cutNumeral(value, 18)) }),
  },
  {
    id: 'native.number-runs-over',
    breaks: ['plugin.robust.survives'],
    summary: 'A number of more than 200 digits overflows its buffer and crashes the server.',
    override: losing(1, ({ parseJson }, lose) => ({
      parseJson: (text) => {
        if (/\d{200}/.test(text)) lose()
        return parseJson(text)
      },
    })),
  },
  {
    id: 'native.login-buffer',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A login is read from a buffer that holds 9 characters.',
    override: ({ loginNumeral }) => ({ loginNumeral: (field, value) => loginNumeral(field, cutNumeral(value, 9)) }),
  },
  {
    id: 'native.media-type-compared-as-text',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A Content-Type with a parameter returns 415.',
    override: ({ judgeContentType }) => ({
      judgeContentType: (type) =>
        type?.includes(';') ? new ErrorResponse(415, 'The body is not JSON.') : judgeContentType(type),
    }),
  },
  {
    id: 'native.path-ends-at-nul',
    breaks: ['plugin.path.unknown'],
    summary: 'A path ends at its first NUL, as in C.',
    override: ({ splitTarget }) => ({ splitTarget: (target) => splitTarget(`${target.split('%00')[0]}`) }),
  },
  {
    id: 'native.path-is-a-format-string',
    breaks: ['plugin.robust.survives'],
    summary: 'A path is the format string of a log line, so %n crashes the server.',
    override: losing(1, ({ splitTarget }, lose) => ({
      splitTarget: (target) => {
        if (target.includes('%n')) lose()
        return splitTarget(target)
      },
    })),
  },
  discloses(
    'native.path-is-formatted',
    'The error text repeats the path through printf, which shows addresses.',
    (target) => (target.includes('%p') ? `0x7ffd3a51c0${(target.length % 256).toString(16).padStart(2, '0')}` : ''),
  ),
  discloses('native.encoded-path-is-formatted', 'The error text repeats the decoded path through printf.', (target) =>
    target.includes('%25p') ? '(nil)' : '',
  ),
  discloses(
    'native.error-shows-file',
    'The error text names the file that could not be opened.',
    () => 'Cannot open /opt/terminal/plugins/copy/rules.dat.',
  ),
  discloses(
    'native.error-shows-windows-file',
    'The error text names a file of Windows.',
    () => 'Cannot open C:\\Terminal\\plugins\\rules.dat.',
  ),
  discloses(
    'native.error-shows-source',
    'The error text names the line of the source code.',
    () => 'assert in http_parse.cpp:118',
  ),
  {
    id: 'native.total-of-another-moment',
    breaks: ['plugin.list.total'],
    summary: 'The total is counted before the rules are read, so a change in between shows in the rules only.',
    override: ({ save, writtenList, listBody }) => {
      let saving = 0
      let saved = 0
      return {
        save: async (write, change) => {
          saving++
          saved++
          await pause(10)
          await save(write, change)
          saving--
        },
        writtenList: (cached, write) => (saving > 0 ? write() : writtenList(cached, write)),
        listBody: (rules) => withMembers(listBody(rules), saving > 0 && saved > 10 ? { total: rules.length + 1 } : {}),
      }
    },
  },
  {
    id: 'native.file-left-open',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'GET /api/status leaves a file open, and after ten of them it returns 503.',
    override: ({ statusBody }) => {
      let descriptors = 10
      return {
        statusBody: (facts) => {
          if (descriptors === 0) reject(503, 'Too many open files.')
          descriptors--
          return statusBody(facts)
        },
      }
    },
  },
  {
    id: 'native.sixteen-headers',
    breaks: ['plugin.http.any-framing'],
    summary: 'The array of headers has 16 places, and the key behind them is not seen.',
    override: ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) => (Object.keys(headers).length > 16 ? undefined : readApiKeyHeader(headers)),
    }),
  },
  {
    id: 'native.key-ends-at-nul',
    breaks: ['plugin.auth.whole-key'],
    summary: 'The key ends at its first NUL, as in C.',
    override: ({ unparsable }) => ({
      unparsable: (problem, code) =>
        code === 'HPE_INVALID_HEADER_TOKEN' ? new ErrorResponse(200, 'OK') : unparsable(problem, code),
    }),
  },
  {
    id: 'native.name-ends-at-nul',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'The name of a member ends at its first NUL, as in C.',
    override: ({ membersOf }) => ({
      membersOf: (value) =>
        Object.fromEntries(
          Object.entries(membersOf(value)).map(([name, member]) => [`${name.split('\0')[0]}`, member]),
        ),
    }),
  },
  {
    id: 'native.index-ends-at-nul',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'An index ends at its first NUL, as in C.',
    override: readsIndex((text) => text.replace(/(%00|\0).*/, '')),
  },
  {
    id: 'native.login-echoed-byte-by-byte',
    breaks: ['plugin.robust.survives'],
    summary: 'The error text repeats a login that is a string with its raw bytes.',
    override: ({ loginNumeral }) => ({
      decodeText: (bytes) => Buffer.from(bytes).toString('latin1'),
      loginNumeral: (field, value) =>
        typeof value === 'string' ? reject(400, `The login ${value} is unknown.`) : loginNumeral(field, value),
      encodeJson: (value) => Buffer.from(stringify(value) ?? 'null', 'latin1'),
    }),
  },
  {
    id: 'native.long-query-runs-over',
    breaks: ['plugin.robust.survives'],
    summary: 'A query of more than 300 bytes overflows its buffer and crashes the server.',
    override: losing(1, ({ splitTarget }, lose) => ({
      splitTarget: (target) => {
        if (/\?.{300}/.test(target)) lose()
        return splitTarget(target)
      },
    })),
  },
  {
    id: 'native.full-list-shows-file',
    breaks: ['plugin.errors.no-internals'],
    summary: 'The error text of a full list names the rules file with its path.',
    override: () => ({
      capacityReached: () => new ErrorResponse(500, 'No room in /data/copy/ServiceCopyTrade_rules.dat.'),
    }),
  },
  {
    id: 'native.file-line-in-64-bytes',
    breaks: ['plugin.persist.list'],
    maskedBy: [{ answers: { 'plugin.login.above-53-bits': 'refused' } }],
    summary: 'A line of the rules file is read into a buffer of 64 bytes, and a longer one ends the list.',
    override: ({ decodeFile }) => ({
      decodeFile: (bytes) => {
        const rules = decodeFile(bytes)
        const isLong = (rule: Rule) => Object.values(rule).join(' ').length > 63
        return rules.slice(0, rules.some(isLong) ? rules.findIndex(isLong) : rules.length)
      },
    }),
  },
]
