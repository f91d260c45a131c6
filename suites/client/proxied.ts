import type { ClientRequest } from 'node:http'
import { HttpProxyAgent } from 'http-proxy-agent'

/** What stands between the kit and the target did not let a request through, or got no answer itself. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  /** The status with which the proxy answered. */
  readonly status: number

  constructor(status: number) {
    super(`the proxy answered ${status}${meanings[status] ?? ''}`)
    this.status = status
  }
}

const meanings: Readonly<Record<number, string>> = {
  403: ': it does not allow this',
  407: ': it wants a user and a password, or other ones',
  502: ': it could not reach the target',
  503: ': it could not reach the target',
  504: ': it waited in vain for the target',
}

/**
 * Statuses with which a proxy tells of its own troubles. The plugin knows none of them, and of an
 * answer that came through a proxy nobody can say whose it was.
 */
export function isOfProxy(status: number): boolean {
  return [407, 502, 503, 504].includes(status)
}

type Addressed = Parameters<HttpProxyAgent<string>['setRequestProps']>

/** Sends paths as they are, where the library would tidy them up: some checks mean exactly that. */
export class ExactHttpProxyAgent extends HttpProxyAgent<string> {
  override setRequestProps(request: Addressed[0], options: Addressed[1]): void {
    const sent: ClientRequest = request
    const { path } = sent
    sent.path = '/'
    super.setRequestProps(request, options)
    sent.path = sent.path.replace(/\/$/, '') + path
  }
}
