import { stringify } from 'lossless-json'

/** The control server rejected a request. */
export class ControlRequestError extends Error {
  override readonly name = 'ControlRequestError'
  readonly status: number
  readonly hint: string

  constructor(status: number, { error, hint }: { readonly error?: unknown; readonly hint?: unknown }) {
    super(`The control server responded with ${status}: ${String(error ?? 'no reason given')}`)
    this.status = status
    this.hint = String(hint ?? 'See the log of the container.')
  }
}

/** Read for each request, since the URL changes when the container restarts. */
interface Address {
  readonly url: string
  readonly token: string
}

/** Sends requests to a control server. */
export function controlOf(address: () => Address) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const { url, token } = address()
    const headers = { 'Authorization': `Bearer ${token}`, 'Content-Type': 'application/json', 'Connection': 'close' }
    const response = await fetch(url + path, { method, headers, body: stringify(body) ?? null })
    const text = await response.text()
    const reply = text === '' ? {} : (JSON.parse(text) as object)
    if (!response.ok) throw new ControlRequestError(response.status, reply)
    return reply
  }
}
