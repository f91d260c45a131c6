import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type Changes,
  textOf,
  to,
  withHeader,
  withMembers,
  withStatus,
  withText,
} from '../../simulator/defect-parts/wire.ts'
import { overrideOf } from '../../simulator/plugin/defects/defect.ts'
import type { Mutation } from '../../simulator/plugin/defects/known.ts'
import { readsIndexLike, responds } from '../../simulator/plugin/defects/overrides.ts'
import type { Override } from '../../simulator/plugin/hooks/hooks.ts'
import { ErrorResponse, type HttpResponse } from '../../simulator/server/response.ts'
import { command, emptyFolder } from '../command.ts'
import { judgeSimulator } from '../judge-simulator.ts'

/** A server that lets no account be both master and follower, to prevent trades from being copied in circles. */
const rejectsChains: Override = ({ judgeRule }) => ({
  judgeRule: (rule, rules) =>
    rules.some((known) => known.master === rule.follower || known.follower === rule.master)
      ? new ErrorResponse(400, 'An account cannot be master and follower at once.')
      : judgeRule(rule, rules),
})

/** Six significant digits are required. A server that keeps more until it restarts conforms too. */
const readsFloats: Override = ({ decodeFile }) => ({
  decodeFile: (bytes) => decodeFile(bytes).map((rule) => ({ ...rule, value: Math.fround(rule.value) })),
})

test.for<[string, Override, readonly string[]]>([
  [
    'refuses chains of accounts, of which nothing is specified,',
    rejectsChains,
    ['plugin.rule.*', 'plugin.add.*', 'plugin.delete.*', 'plugin.list.*', 'plugin.sequence.*'],
  ],
  ['reads 32-bit floats from its file', readsFloats, ['plugin.persist.*', 'plugin.start.*', 'plugin.capacity.*']],
])('a server that %s is not accused', async ([, override, only]) => {
  const outcomes = await judgeSimulator({ override }, { only, seed: 5 })
  expect(outcomes.length).toBeGreaterThan(30)
  expect(
    outcomes.filter(({ status }) => status !== 'passed').map(({ check, message }) => `${check} ${message}`),
  ).toEqual([])
})

const replaces = (change: (text: string) => string) => (response: HttpResponse) => ({
  ...response,
  ...(response.body && { body: Buffer.from(change(Buffer.from(response.body).toString())) }),
})

/** A server whose errors have these members besides `error`, or instead. */
const errorsHave =
  (members: Changes): Override =>
  ({ errorBody }) => ({
    errorBody: (message, status) => withMembers(errorBody(message, status), members),
  })

const outside = (method: string) => to(new RegExp(`^(?:${method}) (?!/api(?:/|$))`))

/** What is free in the specification or in HTTP, and the checks that might accuse a server of it. */
test.for<[string, Mutation, readonly string[]]>([
  [
    'disables the API for a key of more than 128 characters',
    ({ sameKey }) => ({
      sameKey: (given, key) => {
        if (key.length > 128) throw new ErrorResponse(503, 'API_Key is too long.')
        return sameKey(given, key)
      },
    }),
    ['CT-747'],
  ],
  [
    'lists statistics with a value of 0',
    ({ ruleBody }) => ({
      ruleBody: (...rule) => withMembers({ statistics: [{ value: 0 }] }, ruleBody(...rule) as Changes),
    }),
    ['CT-886'],
  ],
  [
    'inserts a new rule behind those with a lower or the same master',
    () => ({
      addRule: (rules, rule) => {
        const position = rules.filter(({ master }) => master <= rule.master).length
        return { rules: rules.toSpliced(position, 0, rule), position }
      },
    }),
    ['CT-954', 'CT-956', 'CT-957', 'CT-972'],
  ],
  ['describes a rule in its errors', errorsHave({ usage: { master: 'integer', direction: 'same' } }), ['CT-711']],
  [
    'has pages',
    responds(to(/\?page=1/), (response) => withText(response, '{"rules":[],"total":0}', 'application/json')),
    ['CT-313'],
  ],
  [
    'writes an HRESULT in its errors',
    errorsHave({ error: 'Access denied (0x80070005).' }),
    ['CT-845', 'CT-846', 'CT-847'],
  ],
  [
    'serves other pages outside of /api/',
    responds(outside('GET|HEAD'), (response) => withStatus(200)(withText(response, '{"page":"console"}'))),
    ['CT-801'],
  ],
  ['allows only GET outside of /api/', responds(outside('POST|DELETE'), withStatus(405)), ['CT-803']],
  [
    'compresses what may have any coding',
    responds(
      (_, { headers }) => !/identity/.test(headers['accept-encoding'] ?? ''),
      (response) => ({
        ...withHeader('Content-Encoding', 'gzip')(response),
        ...(response.body && { body: gzipSync(response.body) }),
      }),
    ),
    ['CT-952', 'CT-979', 'CT-992'],
  ],
  [
    'closes a connection without notice after two responses',
    ({ finish }) => {
      const seen = new WeakMap<object, number>()
      return {
        finish: (response, request) => {
          const { socket } = request
          const count = (seen.get(socket) ?? 0) + 1
          seen.set(socket, count)
          if (count === 2) queueMicrotask(() => socket.end())
          return finish(response, request)
        },
      }
    },
    ['CT-951', 'CT-952'],
  ],
  [
    'ends the body of the status with the connection',
    ({ finish }) => ({
      finish: (response, request) => {
        if (request.method === 'GET' && request.url === '/api/status' && response.status === 200) {
          request.socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${textOf(response)}`)
        }
        return finish(response, request)
      },
    }),
    ['CT-951', 'CT-952', 'CT-973'],
  ],
  [
    'ends the body of a new rule with the connection, and sends it in two parts',
    ({ finish }) => ({
      finish: (response, request) => {
        if (response.status === 201) {
          const { socket } = request
          const text = textOf(response)
          socket.write(`HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n${text.slice(0, 20)}`)
          setTimeout(() => socket.end(text.slice(20)), 5)
          socket.write = () => true
        }
        return finish(response, request)
      },
    }),
    ['CT-972'],
  ],
  [
    'limits the number of headers',
    responds((_, { rawHeaders }) => rawHeaders.length > 32, withStatus(431)),
    ['CT-998'],
  ],
  [
    'limits a body to 4 KiB',
    responds((_, { headers }) => Number(headers['content-length']) > 4_096, withStatus(413)),
    ['CT-471'],
  ],
  [
    'ignores bytes that are not UTF-8',
    () => ({ decodeText: (bytes) => Buffer.from(bytes).toString().replaceAll('\uFFFD', '') }),
    ['CT-964'],
  ],
  ['reads hexadecimal indices', readsIndexLike(/^0x[0-9a-f]{1,8}$/i, Number), ['CT-544', 'CT-554']],
  [
    'writes 0 as -0',
    responds(
      to(''),
      replaces((text) => text.replaceAll(/"(index|total|rules_loaded)":0\b/g, '"$1":-0')),
    ),
    ['CT-111', 'CT-305'],
  ],
])('a server that %s is not accused', async ([, mutation, only]) => {
  const outcomes = await judgeSimulator({ override: overrideOf(mutation) }, { only, seed: 5 })
  const judged = outcomes.filter(({ check }) => only.includes(check))
  expect(judged.map(({ check, status, message }) => [check, status === 'passed' || message])).toEqual(
    judged.map(({ check }) => [check, true]),
  )
  expect(judged).toHaveLength(only.length)
})

test('a server with a capacity of five rules is not accused of those that a start does not load', async () => {
  const [outcome] = await judgeSimulator({ capacity: 5 }, { only: ['CT-647'], seed: 5, capacity: null })
  expect(outcome).toMatchObject({ status: 'out-of-scope', message: expect.stringContaining('has room for 5') })
})

test.for(['900000001-900000012', '900000001-900000040'])(
  'a correct server is not accused if there are only the few logins %s, so that rules share some',
  async (logins) => {
    const args = ['run', '--strict', '--logins', logins, '--seed', '1']
    const { code, stdout } = await command(args, { cwd: emptyFolder() })
    expect(code, stdout).toBe(0)
  },
)
