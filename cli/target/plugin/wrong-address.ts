import { visibleLine } from '../../../reports/visible.ts'
import { type HttpResponse, NoResponse } from '../../../suites/client/response.ts'
import { normaliseBaseUrl } from '../../../suites/targets/target.ts'
import { UnreachableError } from '../../command-error.ts'

/** The responses to the two reads, or why there is none. */
export interface Look {
  readonly status: HttpResponse | NoResponse
  readonly list: HttpResponse | NoResponse
}

/** Whether no plugin responds: both reads lead to an unknown path, a redirect, an HTML page or binary bytes. */
export function isOtherServer({ status, list }: Look): boolean {
  return [status, list].every((one) => !(one instanceof NoResponse) && isUnknownTo(one))
}

function isUnknownTo({ status, text }: HttpResponse): boolean {
  const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400)
  return isElsewhere || text.trimStart().startsWith('<') || isBinary(text)
}

/** Whether it has characters that no text has, or bytes that are not UTF-8. */
function isBinary(text: string): boolean {
  return /[^\P{Cc}\t\n\f\r]|\ufffd/u.test(text)
}

/** The error for such an address. If a server responds otherwise above the path of the URL, it names that address. */
export async function wrongAddress(
  url: string,
  { status, list }: Look,
  lookAt: (url: string) => Promise<Look>,
): Promise<UnreachableError> {
  const response = status instanceof NoResponse ? list : status
  const message = `No plugin responds at ${url}: ${describe(response)}.`
  for (const parent of parentsOf(url)) {
    if (isPlugin(await lookAt(parent))) return new UnreachableError(message, `Did you mean \`--target ${parent}\`?`)
  }
  return new UnreachableError(
    message,
    'Give the address of the plugin: `--target http://<server>:<API_Port>`. An empty `API_Key` disables the API.',
  )
}

function describe(response: HttpResponse | NoResponse): string {
  if (response instanceof NoResponse) return visibleLine(response.message)
  const { status, exchange, headers, text } = response
  const path = new URL(exchange.request.url).pathname
  const location = headers.location === undefined ? '' : ` (to ${visibleLine(headers.location)})`
  const page = text.trimStart().startsWith('<') ? ' with an HTML page' : isBinary(text) ? ' with binary bytes' : ''
  return `${exchange.request.method} ${path} returns ${status}${location}${page}`
}

/** The base URLs with a shorter path, longest first. */
function parentsOf(url: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const names = pathname.split('/').filter((name) => name !== '')
  const parents = names.map((_, at) => normaliseBaseUrl([origin, ...names.slice(0, at)].join('/')))
  return [...new Set(parents.toReversed())]
}

/** A key that is rejected is no reason to hide the address. */
function isPlugin(look: Look): boolean {
  return !(look.status instanceof NoResponse) && !isOtherServer(look)
}
