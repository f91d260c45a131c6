import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'

/** Headers that depend on the connection or the length of a body, which are set again. */
const ofConnection = /^(host|connection|keep-alive|content-length|transfer-encoding|expect|upgrade|te|trailer|date)$/i
const headersOf = ({ headers }) =>
  Object.fromEntries(headers.filter(({ name }) => !ofConnection.test(name)).map(({ name, value }) => [name, value]))

/**
 * Reads what a run sent and received from its HTTP archive. If the archive omits exchanges, the numbering of the others
 * tells how many, and recorded ones are repeated. Bytes that are not a request are replaced by a GET.
 */
export function readExchanges(file) {
  const { entries } = JSON.parse(readFileSync(file, 'utf8')).log
  const known = entries.map(({ request, response }) => ({
    request: {
      method: request.method === 'RAW' ? 'GET' : request.method,
      path: new URL(request.url).pathname,
      headers: headersOf(request),
      body: request.method === 'RAW' ? undefined : request.postData?.text,
    },
    response: {
      status: response.status < 200 ? 200 : response.status,
      headers: headersOf(response),
      body: response.content.text,
    },
  }))
  const length = Math.max(known.length, countSent(entries.map(({ _exchange: id }) => id)))
  return Array.from({ length }, (_, index) => known[index % known.length])
}

/** Each recorder of a run numbers its exchanges: `x12`, `CT-601-x3`. A report may omit some of them. */
function countSent(ids) {
  const last = new Map()
  for (const id of ids) {
    const [, recorder = '', number = 0] = /^(.*x)(\d+)$/.exec(id) ?? []
    last.set(recorder, Math.max(last.get(recorder) ?? 0, Number(number)))
  }
  return [...last.values()].reduce((sum, count) => sum + count, 0)
}

/** Sends requests one after the other over one persistent connection. A missing response counts as one. */
export async function sendAll(url, requests) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const request of requests) await send(url, request, agent).catch(() => undefined)
  agent.destroy()
}

function send(url, { method, path, headers, body }, agent) {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { agent, method, headers }, (response) => {
      response.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
