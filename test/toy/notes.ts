import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Whether an acknowledged note is stored. */
export type Keeps = (notes: ReadonlySet<string>) => boolean

/** The simulator of an API of two endpoints: `POST /notes/{name}` and `GET /notes/{name}`. */
export async function startNotes(keeps: Keeps = () => true) {
  const notes = new Set<string>()
  const server = createServer(({ method, url = '' }, response) => {
    if (method === 'POST' && keeps(notes)) notes.add(url)
    response.writeHead(method === 'POST' ? 201 : notes.has(url) ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
