import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command, emptyFolder } from './command.ts'

/** With every sign that some encoder or other writes differently. */
const key = `echo+me/aloud=&'7`

/** A server that repeats and prints what it is told, in every way that it can think of. */
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

/** The spellings in which the key must be found nowhere; a part of a key is as bad as the whole. */
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

test('a server that repeats the key in every way finds it in no file and no line of the kit', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'echo.mjs'), echoServer)
  const { code, stdout, stderr } = await command(
    ['run', '--exec', `exec "${process.execPath}" echo.mjs`, '--skip', 'plugin.start.*', '--skip', 'plugin.persist.*'],
    { cwd: folder, env: { TCK_API_KEY: key } },
  )
  expect(code).toBe(1)
  const written = readdirSync(join(folder, 'tck-report')).map((name) => ({
    name,
    text: readFileSync(join(folder, 'tck-report', name), 'utf8'),
  }))
  expect(written.map(({ name }) => name)).toContain('server.log')
  for (const { name, text } of [...written, { name: 'stdout', text: stdout }, { name: 'stderr', text: stderr }]) {
    for (const spelling of spellings) {
      const at = text.toLowerCase().indexOf(spelling.toLowerCase())
      expect(at === -1 ? '' : `${name}: ${text.slice(Math.max(0, at - 40), at + 60)}`).toBe('')
    }
  }
})
