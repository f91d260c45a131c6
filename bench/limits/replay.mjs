// replay.mjs <archive> [count]: sends all exchanges of an archive, or `count` of them, to node:http in the same
// process, which returns the recorded responses.
import { createServer } from 'node:http'
import { readExchanges, sendAll } from './exchanges.mjs'

const [, , archive, count] = process.argv
const recorded = readExchanges(archive)
const exchanges = Array.from(
  { length: Number(count ?? recorded.length) },
  (_, index) => recorded[index % recorded.length],
)
let answered = 0
const server = createServer((request, response) => {
  const { status, headers, body } = exchanges[answered % exchanges.length].response
  answered += 1
  request.resume().on('end', () => response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body))
})
server.listen(0, '127.0.0.1', async () => {
  await sendAll(
    `http://127.0.0.1:${server.address().port}`,
    exchanges.map(({ request }) => request),
  )
  server.close()
})
