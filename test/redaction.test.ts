import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chosenChecks } from './chosen-checks.ts'
import { command, emptyFolder } from './command.ts'
import { startServer } from './proxy.ts'
import { selfSigned } from './self-signed.ts'

/** A key with every character that encoders treat differently. */
const key = `echo+me/aloud=&'7`

/** A server that repeats and prints whatever it receives, in many ways. */
const echoServer = `
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
const { API_Key: key } = JSON.parse(readFileSync(process.env.TCK_PARAMETERS, 'utf8'))
const ways = (text) => [
  text, encodeURIComponent(text), escape(text), encodeURI(text), JSON.stringify(text), JSON.stringify(JSON.stringify(text)),
  Buffer.from(text).toString('base64'), Buffer.from('a' + text).toString('base64'), Buffer.from('ab' + text).toString('base64url'),
  Buffer.from(text).toString('hex'), Buffer.from(text).toString('hex').toUpperCase(), text.toUpperCase(),
  text.replaceAll('&', '&amp;').replaceAll("'", '&#39;'), text.replaceAll('/', '\\\\/'), new URLSearchParams({ key: text }).toString(),
]
createServer((request, response) => {
  const given = [key, request.headers['x-api-key'], request.headers.authorization?.slice(7)].filter(Boolean)
  const said = given.flatMap(ways)
  for (const text of said) { console.log(text); console.error('refused ' + text) }
  const echo = { error: said.join(' '), plugin: key, version: key, rules: [{ index: 0, master: 1, follower: 2, mode: key, value: 1, direction: key }], total: 1, [key]: key }
  response.writeHead(request.url.includes('status') ? 200 : request.method === 'GET' ? 200 : 400, { 'X-Echo': encodeURIComponent(key), 'Content-Type': 'application/json' })
  response.end(JSON.stringify(echo))
}).listen(Number(process.env.TCK_PORT), '127.0.0.1')
`

/** The encodings in which the key must not appear anywhere; a part of a key is as bad as the whole. */
const spellings = [
  key,
  key.slice(0, -1),
  key.slice(1),
  encodeURIComponent(key),
  JSON.stringify(key),
  Buffer.from(key).toString('base64').slice(0, 20),
  Buffer.from(`a${key}`).toString('base64').slice(3, 22),
  Buffer.from(`ab${key}`).toString('base64url').slice(4, 22),
  Buffer.from(key).toString('hex'),
  'echo&#43;me',
  'echo+me\\/aloud',
  'echo%2Bme',
]

test('if a server repeats the key in every way, no file and no output of the kit contains it', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'echo.mjs'), echoServer)
  const skipped = ['--skip', 'plugin.start.*', '--skip', 'plugin.persist.*']
  const { code, stdout, stderr } = await command(
    ['run', '--exec', `exec "${process.execPath}" echo.mjs`, '--evidence', 'all', ...skipped, ...chosenChecks],
    { cwd: folder, env: { TCK_API_KEY: key } },
  )
  expect(code).toBe(1)
  expectNowhere(spellings, folder, { stdout, stderr })
  expect(readdirSync(join(folder, 'tck-report'))).toContain('server.log')
})

function expectNowhere(hidden: readonly string[], folder: string, printed: Readonly<Record<string, string>>): void {
  const written = readdirSync(join(folder, 'tck-report')).map((name) => [
    name,
    readFileSync(join(folder, 'tck-report', name), 'utf8'),
  ])
  for (const [name, text = ''] of [...written, ...Object.entries(printed)]) {
    for (const spelling of hidden) {
      const at = text.toLowerCase().indexOf(spelling.toLowerCase())
      expect(at === -1 ? '' : `${name}: ${text.slice(Math.max(0, at - 40), at + 60)}`).toBe('')
    }
  }
}

/** A key that is valid in a header name and in a host name. */
const nameLikeKey = 'Echo-Me-Aloud-77'
const nameLikeSpellings = [nameLikeKey, nameLikeKey.slice(1), Buffer.from(nameLikeKey).toString('base64').slice(0, 20)]

/** Uses TLS and repeats the key in every part of HTTP that can hold a text. */
const wireEcho = `
import { createServer } from 'node:tls'
const { TLS_KEY, TLS_CERT, KEY } = process.env
const list = '{"rules":[{"index":0,"master":1,"follower":2,"mode":"mult","value":1,"direction":"same"}],"total":1}'
createServer({ key: TLS_KEY, cert: TLS_CERT }, (socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (request) => {
    const path = request.toString('latin1').split(' ')[1] ?? ''
    const known = path.endsWith('/rules') ? list : JSON.stringify({ plugin: KEY, version: KEY, error: KEY })
    const status = path.endsWith('/rules') || path.endsWith('/status') ? 200 : 404
    socket.end([
      'HTTP/1.1 ' + status + ' Thanks for ' + KEY, 'X-' + KEY + ': ' + KEY, 'Trailer: X-T-' + KEY, 'Set-Cookie: ' + KEY + '=' + KEY,
      'Content-Type: application/json; x=' + KEY, 'Transfer-Encoding: chunked', '',
      known.length.toString(16) + ';x=' + KEY, known, '0;' + KEY, 'X-T-' + KEY + ': ' + KEY, '', '',
    ].join('\\r\\n'))
  })
}).listen(0, '127.0.0.1', function () { console.log('listening ' + this.address().port) })
`

test('over https: reason phrases, header names, chunk extensions and trailers reveal nothing', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'echo.mjs'), wireEcho)
  const { key: TLS_KEY, cert: TLS_CERT } = selfSigned()
  writeFileSync(join(folder, 'ca.pem'), TLS_CERT)
  const { port } = await startServer(join(folder, 'echo.mjs'), { TLS_KEY, TLS_CERT, KEY: nameLikeKey })
  const target = ['--target', `https://127.0.0.1:${port}`, '--ca', 'ca.pem']
  const options = { cwd: folder, env: { TCK_API_KEY: nameLikeKey } }
  const judged = await command(['run', ...target, '--risk', 'write', '--evidence', 'all', ...chosenChecks], options)
  const looked = await command(['doctor', ...target], options)
  expect(judged.code, judged.stdout + judged.stderr).toBe(1)
  expect(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')).toContain('"x-[redacted]"')
  expectNowhere(nameLikeSpellings, folder, {
    stdout: judged.stdout,
    stderr: judged.stderr,
    doctor: looked.stdout + looked.stderr,
  })
})

test('a certificate with the key in its name does not reveal it', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'echo.mjs'), wireEcho)
  const { key: TLS_KEY, cert: TLS_CERT } = selfSigned({ names: [`${nameLikeKey}.example`], addresses: [] })
  writeFileSync(join(folder, 'ca.pem'), TLS_CERT)
  const { port } = await startServer(join(folder, 'echo.mjs'), { TLS_KEY, TLS_CERT, KEY: nameLikeKey })
  const options = { cwd: folder, env: { TCK_API_KEY: nameLikeKey } }
  for (const name of ['run', 'doctor']) {
    const { code, stdout, stderr } = await command(
      [name, '--target', `https://127.0.0.1:${port}`, '--ca', 'ca.pem'],
      options,
    )
    expect(stdout + stderr).toContain('it names [redacted].example')
    expect(stdout + stderr).not.toMatch(new RegExp(nameLikeKey, 'i'))
    expect(code).toBe(4)
  }
})
