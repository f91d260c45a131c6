import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import type { Exchange } from '../client/exchange.ts'
import { createRecorder } from '../client/recorder.ts'
import { wrongKeys } from '../session/wrong-keys.ts'
import { toCurl } from './curl.ts'
import { redactorFor } from './shared.ts'

const key = 'a-key-that-nobody-may-see'

/** An exchange as the recorder keeps it. */
function exchange(request: Partial<Exchange['request']>): Exchange {
  return createRecorder(createRedactor([key])).record({
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    request: { method: 'GET', url: 'http://127.0.0.1:8443/api/rules', headers: [], body: null, ...request },
    response: null,
    failure: null,
  })
}

test.for<NonNullable<Exchange['response']>>([
  { status: 200, headers: [['content-encoding', 'gzip']], body: '{}' },
  { status: 200, headers: [], body: '\x1f\ufffd\b' },
])('a compressed response is asked for again', (response) => {
  expect(argumentsOf(toCurl({ ...exchange({}), response }))).toContain('--compressed')
  expect(argumentsOf(toCurl({ ...exchange({}), response: { ...response, headers: [], body: '{}' } }))).not.toContain(
    '--compressed',
  )
})

/** The arguments that a shell would give to curl. */
function argumentsOf(command: string | null, secret = key): readonly string[] {
  const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }; ${command}`
  const printed = execFileSync('/bin/sh', ['-c', script], {
    env: { ...process.env, TCK_API_KEY: secret },
    encoding: 'utf8',
  })
  return printed.split('\0').slice(0, -1)
}

test('a request becomes a command that a person can read', () => {
  expect(toCurl(exchange({ headers: [['X-API-Key', key]] }))).toBe(
    `curl -i -X GET -H "X-API-Key: $TCK_API_KEY" 'http://127.0.0.1:8443/api/rules'`,
  )
})

test.for(['-12', '-CT-305-1'])(
  'the key of a launched server, with %s behind it, becomes the key itself, as `--keep-server` gives it',
  (suffix) => {
    const command = toCurl(exchange({ headers: [['X-API-Key', `${key}${suffix}`]] }))
    expect(argumentsOf(command)).toContain(`X-API-Key: ${key}`)
    expect(argumentsOf(command).join(' ')).not.toContain(suffix)
  },
)

test('the shell puts the key back in, and nothing else is changed', () => {
  const body = `{"note":"it's $HOME, \`date\`, \\\\ and \\"quotes\\"\\n"}`
  const command = toCurl(
    exchange({
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json; x="it\'s"'],
        ['Authorization', `Bearer ${key}`],
      ],
      body,
    }),
  )
  expect(command).not.toContain(key)
  expect(argumentsOf(command)).toEqual([
    '-i',
    '-X',
    'POST',
    '-H',
    'Content-Type: application/json; x="it\'s"',
    '-H',
    `Authorization: Bearer ${key}`,
    '--data-binary',
    body,
    'http://127.0.0.1:8443/api/rules',
  ])
})

test.for(['a-key-that-nobody-may-see', 'xxXx-7', 'k9z', '"q$u`o\\te', '0123456789xyz'])(
  'the shell makes the wrong keys out of the key %s',
  (secret) => {
    const redact = redactorFor([{ target: { key: secret }, secrets: [secret] }])
    const sent = [...wrongKeys(secret), `Bearer ${secret}x`, `${secret} x`]
    const safe = sent.map((value) => redact(value))
    const command = toCurl(exchange({ headers: safe.map((value) => ['X-API-Key', value] as const) }))
    expect(command).not.toContain(secret)
    const values = argumentsOf(command, secret).filter((part) => part.startsWith('X-API-Key: '))
    expect(values).toEqual(sent.map((value) => `X-API-Key: ${value}`))
  },
)

test('a HEAD request does not wait for a body', () => {
  expect(toCurl(exchange({ method: 'HEAD' }))).toBe(`curl -i --head 'http://127.0.0.1:8443/api/rules'`)
})

test('an empty body is a body', () => {
  expect(argumentsOf(toCurl(exchange({ method: 'POST', body: '' })))).toContain('--data-binary')
  expect(argumentsOf(toCurl(exchange({ method: 'POST', body: null })))).not.toContain('--data-binary')
})

test('a quote in a path cannot leave its quotes', () => {
  const url = `http://127.0.0.1:1/api/rules/'; echo gone; '`
  expect(argumentsOf(toCurl(exchange({ url }))).at(-1)).toBe(url)
})

test('there is no command for bytes that curl cannot send, nor for nothing', () => {
  expect(toCurl(exchange({ method: 'RAW' }))).toBeNull()
  expect(toCurl(undefined)).toBeNull()
})

test('parts that curl would omit or change are sent unchanged', () => {
  const url = 'http://127.0.0.1:8443/api/./rules/[0]'
  expect(argumentsOf(toCurl(exchange({ url, headers: [['X-API-Key', '']], body: 'x' }))).slice(1)).toEqual([
    ...['-g', '--path-as-is', '-X', 'GET', '-H', 'X-API-Key;', '-H', 'Content-Type:', '--data-binary', 'x', url],
  ])
})

test('control characters are escaped in the command, and sent', () => {
  const body = `{"note":"\u001b[1m \\ ' é"}`
  const command = toCurl(exchange({ method: 'POST', body }))
  expect(command).not.toContain('\u001b')
  expect(argumentsOf(command)).toContain(body)
})
