import type { bodyQuestions } from '../../../spec/plugin/questions/body.ts'
import type { Simulator } from '../../index.ts'
import { key, post, ruleText, send, sendRaw, statusOf } from '../../testing/client.ts'
import { type Demonstrations, demonstrate } from '../testing/answers.ts'

const statusFor = (body: string | Uint8Array) => async (simulator: Simulator) => (await post(simulator, body)).status
const withContentType = (headers: Record<string, string>) => async (simulator: Simulator) =>
  (await post(simulator, ruleText(), { headers: { 'X-API-Key': key, ...headers } })).status

const large = ruleText() + ' '.repeat(2 * 1024 * 1024)
const damaged = Buffer.concat([
  Buffer.from(`${ruleText().slice(0, -1)},"note":"`),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('"}'),
])

demonstrate({
  'plugin.body.unknown-member': {
    show: statusFor(ruleText({ note: '1' })),
    shows: { ignored: 201, refused: 400 },
  },
  'plugin.body.duplicate-member': {
    show: async (simulator) => {
      await post(simulator, `${ruleText().slice(0, -1)},"follower":7}`)
      return simulator.rules.map(({ follower }) => follower)
    },
    shows: { last: [7n], first: [45163n], refused: [] },
  },
  'plugin.body.member-case': {
    show: statusFor(ruleText().replace('"master"', '"Master"')),
    shows: { sensitive: 400, insensitive: 201 },
  },
  'plugin.body.content-type-absent': {
    show: withContentType({}),
    shows: { 'accepted': 201, '400': 400, '415': 415 },
  },
  'plugin.body.content-type-wrong': {
    show: withContentType({ 'Content-Type': 'text/plain' }),
    shows: { 'accepted': 201, '400': 400, '415': 415 },
  },
  'plugin.body.byte-order-mark': {
    show: statusFor(`\uFEFF${ruleText()}`),
    shows: { accepted: 201, refused: 400 },
  },
  'plugin.body.invalid-utf-8': {
    show: statusFor(damaged),
    shows: { refused: 400, replaced: 201 },
  },
  'plugin.body.size-limit': {
    show: async (simulator) => {
      const head = `POST /api/rules HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n`
      return statusOf(await sendRaw(simulator, `${head}Content-Length: ${large.length}\r\n\r\n${large}`))
    },
    shows: { 'accepted': 201, '400': 400, '413': 413, 'closed': 'closed' },
  },
  'plugin.body.on-delete': {
    show: async (simulator) => {
      await post(simulator, ruleText())
      const body = { headers: { 'X-API-Key': key, 'Content-Length': '2' }, body: '{}' }
      const { status } = await send(simulator, { method: 'DELETE', path: '/api/rules/0', ...body })
      return [status, simulator.rules.length]
    },
    shows: { ignored: [200, 0], refused: [400, 1] },
  },
} satisfies Demonstrations<typeof bodyQuestions>)
