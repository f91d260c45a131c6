import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DelayingProxy {
  readonly url: string
  /** How many responses have come through. */
  responses(): number
  close(): void
}

/** Passes bytes on in both directions, each half of the round trip later. */
export async function delayingProxy(target: string, roundTripMs: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>()
  let responses = 0
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: Number(new URL(target).port), noDelay: true })
    // A response begins a packet, for the kit sends the next request after it.
    far.on('data', (bytes) => {
      if (bytes.subarray(0, 5).toString() === 'HTTP/') responses += 1
    })
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      const later = (action: () => void) => setTimeout(action, roundTripMs / 2)
      from.on('data', (bytes) => later(() => to.writable && to.write(bytes)))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responses: () => responses,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
