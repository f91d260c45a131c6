import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clientFor } from './client.test-data.ts'
import { isTimeout } from './failure-reason.ts'
import { createRawClient } from './raw.ts'
import { createRecorder } from './recorder.ts'
import { NoResponse } from './response.ts'
import { directTransport } from './transport.ts'
import { createPace, type Waits } from './wait.ts'

const get = { method: 'GET', path: '/', headers: {}, body: null } as const
const later = 'request 2 of a connection has no response'
const unended = 'a response with status 400 does not end: the connection is not closed'

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Waits that are short after this hang was noted, and a log of calls. */
function waitsWith(known: string) {
  const events: string[] = []
  const begin: Waits['forRequest'] = () => {
    const notes: string[] = []
    const isKnown = () => notes.includes(known)
    return {
      limitMs: () => (isKnown() ? 100 : 60_000),
      known: () => (isKnown() ? { sentence: known, isSure: true } : null),
      note: (hang) => notes.push(hang),
      ended: (status) => events.push(`ended ${status}`),
      hung: () => events.push('hung'),
    }
  }
  return { events, waits: { forRequest: begin, forBytes: begin } as unknown as Waits }
}

test.for<[string, RequestListener]>([
  [later, (request, response) => request.socket.bytesWritten === 0 && response.end('{}')],
  // Without a length, the body ends with the connection.
  [unended, (_, response) => response.socket?.write('HTTP/1.1 400 Bad Request\r\n\r\n{}')],
])('if it is known that "%s", the client waits for a shorter time, and says why', async ([known, respond]) => {
  const { events, waits } = waitsWith(known)
  const client = clientFor(await serve(respond), { waits })
  if (known === later) await client(get)
  const error = await client(get).catch((thrown: unknown) => thrown)
  if (!(error instanceof NoResponse)) throw error
  expect(isTimeout(error)).toBe(true)
  expect(error.isKnownHang).toBe(true)
  expect(error.message).toBe(`no response to GET /: it took too long, as in earlier requests: ${known}`)
  expect(events).toEqual([...(known === later ? ['ended 200'] : []), 'hung'])
})

test('with raw bytes, each request has its own wait', async () => {
  const baseUrl = await serve((request, response) => request.socket.bytesWritten === 0 && response.end('{}'))
  const { events, waits } = waitsWith(later)
  const recorder = createRecorder((text) => text)
  const pace = createPace(Number.POSITIVE_INFINITY)
  const raw = createRawClient({ baseUrl, transport: directTransport, timeoutMs: 60_000, pace, recorder, waits })
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const { responses, end, isKnownHang } = await raw({ bytes: [bytes, bytes], responses: 2 })
  expect({ statuses: responses.map(({ status }) => status), end, isKnownHang }).toEqual({
    ...{ statuses: [200], end: 'timeout', isKnownHang: true },
  })
  expect(events).toEqual(['ended 200', 'hung'])
})
