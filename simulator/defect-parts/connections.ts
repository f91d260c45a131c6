import type { Server, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpResponse } from '../server/response.ts'
import { asks, type Finish } from './wire.ts'

type Request = Parameters<Finish>[1]

/** Changes a response, with the hooks of a correct server. */
type Change<Hooks> = (...call: [...given: Parameters<Finish>, hooks: Hooks]) => HttpResponse

/** A request and its correct response. */
export interface Exchange {
  readonly request: Request
  readonly response: HttpResponse
  /** How many bytes had arrived on the connection; an equal number means the same packet. */
  readonly bytesRead: number
}

/** A server whose response depends on earlier exchanges on the same connection. */
export function remembersConnection<Hooks>(
  respond: (now: Exchange, before: readonly Exchange[], hooks: Hooks) => HttpResponse,
) {
  return (hooks: Hooks): { finish: Finish } => {
    const exchanges = new WeakMap<object, readonly Exchange[]>()
    return {
      finish: (response, request) => {
        const { socket } = request
        const now = { request, response, bytesRead: socket.bytesRead }
        const before = exchanges.get(socket) ?? []
        exchanges.set(socket, [...before, now])
        return respond(now, before, hooks)
      },
    }
  }
}

/** The server that accepted the connection of a request. */
export function serverOf({ socket }: Request): Server {
  return (socket as typeof socket & { readonly server: Server }).server
}

/** Returns a function that receives a request, and from then on listens to the connections to its server. */
function watching(onConnection: (opened: Socket) => void, onRequest = (_: Request): unknown => undefined) {
  const servers = new WeakSet<Server>()
  return (first: Request): void => {
    const server = serverOf(first)
    if (!servers.has(server)) server.on('connection', onConnection).on('request', onRequest)
    servers.add(server)
  }
}

/**
 * A server that changes the response to a request if the bytes of its connection match, as a parser of its own sees
 * them. Connections before the first response are not seen.
 */
export function readsBytes<Hooks>(pattern: RegExp, change: Change<Hooks>) {
  return (hooks: Hooks): { finish: Finish } => {
    const received = new WeakMap<object, string>()
    const see = watching((opened) =>
      opened.on('data', (bytes) => received.set(opened, `${received.get(opened) ?? ''}${bytes.toString('latin1')}`)),
    )
    return {
      finish: (response, request) => {
        see(request)
        return pattern.test(received.get(request.socket) ?? '') ? change(response, request, hooks) : response
      },
    }
  }
}

/** A request with `Expect: 100-continue` waits for its body and gets no response before it. */
export const neverContinues = ({ finish }: { readonly finish: Finish }) => ({
  finish: ((response, request) => {
    const server = serverOf(request)
    if (server.listenerCount('checkContinue') === 0)
      server.on('checkContinue', (...given) => server.emit('request', ...given))
    return finish(response, request)
  }) satisfies Finish,
})

/** Sends the body of a response to HEAD too: after the headers, and before the connection is closed. */
export const withBodyAfterHead: Finish = (response, { socket }) => {
  process.nextTick(() => socket.write(response.body ?? ''))
  return response
}

/** After an error, the next request on the connection gets the same error response. */
export const repeatsLastError = remembersConnection(
  ({ response }, before) => before.slice(-1).find(({ response: { status } }) => status >= 400)?.response ?? response,
)

/** The open connections of the requests that it has seen. */
export function openConnections() {
  const open = new Set<object>()
  return {
    see({ socket }: Request) {
      if (!open.has(socket)) socket.once('close', () => open.delete(socket))
      open.add(socket)
    },
    count: () => open.size,
  }
}

/** A server that changes its responses while more than `most` connections with requests like `line` are open. */
export function overConnectionLimit<Hooks>(most: number, change: Change<Hooks>, line = '') {
  return (hooks: Hooks): { finish: Finish } => {
    const open = openConnections()
    return {
      finish: (response, request) => {
        if (!asks(request, line)) return response
        open.see(request)
        return open.count() > most ? change(response, request, hooks) : response
      },
    }
  }
}

/** With more than `most` open connections, a GET gets the last response to another request. */
export function sharedBuffer(most: number) {
  return (): { finish: Finish } => {
    let last: HttpResponse | undefined
    const { finish } = overConnectionLimit(most, (response) => last ?? response, 'GET')(undefined)
    return {
      finish: (response, request) => {
        const sent = finish(response, request)
        last = response
        return sent
      },
    }
  }
}

/** Holds back what is written to a connection until `released` settles; forever if it never does. */
export function holdResponse(
  { socket }: Pick<Request, 'socket'>,
  released: Promise<unknown> = new Promise(() => undefined),
): void {
  const write = socket.write.bind(socket) as (...sent: readonly unknown[]) => boolean
  socket.write = ((...sent: readonly unknown[]) => {
    void released.then(() => write(...sent))
    return true
  }) as typeof socket.write
}

/** Resolves once fewer than `most` of these connections are left. */
const fewerThan = (most: number) => async (waiting: ReadonlySet<Socket>) => {
  while (waiting.size >= most) await pause(20, undefined, { ref: false })
}

/**
 * A server with so many workers, each of which waits until a new connection has sent its first data or request. Without
 * a free one all clients wait until one is `freed`.
 */
export function waitsForConnections(workers: number, until: 'data' | 'request', freed = fewerThan(workers)) {
  return (): { finish: Finish } => {
    const waiting = new Set<Socket>()
    const hasSent = (opened: Socket) => waiting.delete(opened)
    const see = watching(
      (opened) => {
        waiting.add(opened)
        for (const event of ['close', until]) opened.once(event, () => hasSent(opened))
      },
      ({ socket }) => hasSent(socket),
    )
    return {
      finish: (response, request) => {
        see(request)
        if (waiting.size >= workers) holdResponse(request, freed(waiting))
        return response
      },
    }
  }
}

/** Sends no response, and leaves the connection open. */
export const neverAnswered: Finish = (response, request) => {
  holdResponse(request)
  return response
}
