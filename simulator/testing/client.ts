import { Agent, type IncomingHttpHeaders, request as startRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export const key = 'secret-key'

/** A rule that every profile accepts. */
const validRule = { master: 3005, follower: 45163, mode: 'mult', value: 1.5, direction: 'same' }

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly agent?: Agent
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export const withKey = { 'X-API-Key': key }

/** Sends one request, by default with the correct key, on a new connection. */
export function send(server: { readonly port: number }, sent: Sent = {}): Promise<Reply> {
  const { method = 'GET', path = '/api/rules', headers = withKey, body, agent = new Agent() } = sent
  return new Promise((resolve, reject) => {
    const request = startRequest({ host: '127.0.0.1', port: server.port, method, path, headers, agent }, (response) => {
      text(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Sends a POST /api/rules with the given text as its body. */
export function post(server: { readonly port: number }, body: string | Uint8Array, sent: Sent = {}): Promise<Reply> {
  return send(server, { method: 'POST', body, ...sent })
}

/** The JSON of `validRule`, some members replaced by these JSON values. */
export function ruleText(members: Readonly<Record<string, string>> = {}): string {
  const all = { ...Object.fromEntries(Object.entries(validRule).map(([name, value]) => [name, JSON.stringify(value)])) }
  const texts = Object.entries({ ...all, ...members }).map(([name, value]) => `${JSON.stringify(name)}:${value}`)
  return `{${texts.join(',')}}`
}

/** Sends raw bytes and resolves with everything received until the server closes the connection. */
export function sendRaw(
  server: { readonly port: number },
  ...packets: readonly (string | Uint8Array)[]
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true })
    let received = ''
    socket.on('connect', () => {
      for (const packet of packets) socket.write(packet)
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => resolve(received))
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(received))
  })
}

/** The status of a raw response; `closed` if there is none. */
export function statusOf(response: string): number | 'closed' {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1]
  return status === undefined ? 'closed' : Number(status)
}
