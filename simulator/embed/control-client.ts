import { stringify } from 'lossless-json'

/** The control server did not do what it was asked for. */
export class ControlRefusedError extends Error {
  override readonly name = 'ControlRefusedError'
  readonly status: number
  readonly hint: string

  constructor(status: number, { error, hint }: { readonly error?: unknown; readonly hint?: unknown }) {
    super(`The control server answered ${status}: ${String(error ?? 'without a reason')}`)
    this.status = status
    this.hint = String(hint ?? 'Look at the log of the container.')
  }
}

/** Where the control server is, which changes when a container is restarted. */
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
    if (!response.ok) throw new ControlRefusedError(response.status, reply)
    return reply
  }
}
