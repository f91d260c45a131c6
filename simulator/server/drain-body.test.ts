import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createSimulator } from '../index.ts'
import { key, send, statusOf } from '../testing/client.ts'

const mebibyte = 1024 * 1024

/** A client that keeps sending its body after the response was sent. */
function slowWriter(port: number, fields: readonly string[]) {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const closed = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(`cut off: ${error.message}`))
    socket.on('end', () => resolve(received))
  })
  socket.write(`${['POST /api/rules HTTP/1.1', 'Host: a', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`)
  return { socket, closed, received: () => received }
}

test.each([
  ['a body over the limit', [`X-API-Key: ${key}`], 400],
  ['a body without authentication', [], 401],
])('%s is read to its end before the response closes the connection', async (_, fields, status) => {
  await using simulator = createSimulator({ port: 0, apiKey: key })
  await simulator.start()
  const { socket, closed, received } = slowWriter(simulator.port, [...fields, `Content-Length: ${3 * mebibyte}`])
  await new Promise<void>((resolve) => socket.write(Buffer.alloc(2 * mebibyte, ' '), () => resolve()))
  // When these have responses, the server has seen what was written before them.
  for (let i = 0; i < 3; i += 1) await send(simulator)
  expect(received()).toBe('')
  socket.end(Buffer.alloc(mebibyte, ' '))
  expect(statusOf(await closed)).toBe(status)
})

test('the rest of an endless body is only waited for briefly', async () => {
  await using simulator = createSimulator({ port: 0, apiKey: key })
  await simulator.start()
  const { socket, closed } = slowWriter(simulator.port, [`Content-Length: ${3 * mebibyte}`])
  socket.write('{')
  expect(statusOf(await closed)).toBe(401)
})
