// raw.mjs <responses.json> <port>: node:http with prepared response bytes for each method. It parses the body of a
// POST.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , file, port] = process.argv
const responses = Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([method, { status, headers, body }]) => [
  method,
  { status, headers, bytes: Buffer.from(body) },
])
const byMethod = Object.fromEntries(responses)
const [[, anyResponse]] = responses

createServer((request, response) => {
  const { status, headers, bytes } = byMethod[request.method] ?? anyResponse
  if (request.method !== 'POST') return response.writeHead(status, headers).end(bytes)
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(status, headers).end(bytes)
  })
}).listen(Number(port), '127.0.0.1')
