import { type HttpResponse, NoResponse } from '../../../suites/client/response.ts'
import { baseUrlOf } from '../../../suites/targets/target.ts'
import { UnreachableError } from '../../command-error.ts'
import { type DoctorFinding, problem } from '../examination.ts'
import type { PluginReads, SeenPlugin } from './reads.ts'

/** Null if there may be a plugin at this address. Otherwise names a plugin at a shorter path of the URL. */
export async function findOtherServer({ url, isOwn, seen, at }: PluginReads): Promise<DoctorFinding | null> {
  const found = await seen()
  if (isOwn || !isOtherServer(found)) return null
  const finding = `No plugin responds at ${url}: ${describe(found.status)}`
  for (const parent of parentsOf(url)) {
    const above = await at(parent).seen()
    // A plugin that rejects the key is worth naming too.
    const isPlugin = !(above.status instanceof NoResponse) && !isOtherServer(above)
    if (isPlugin) return problem(finding, `Did you mean \`--target ${parent}\`?`, UnreachableError)
  }
  return problem(
    finding,
    'Give the address of the plugin: `--target http://<server>:<API_Port>`. An empty `API_Key` disables the API.',
    UnreachableError,
  )
}

/** Whether this is not a plugin: both reads lead to an unknown path, a redirect, an HTML page or binary bytes. */
function isOtherServer(seen: SeenPlugin): seen is SeenPlugin & Record<'status' | 'list', HttpResponse> {
  return [seen.status, seen.list].every((one) => !(one instanceof NoResponse) && isUnknownTo(one))
}

function isUnknownTo({ status, text }: HttpResponse): boolean {
  const isElsewhere = status === 404 || status === 405 || (status >= 300 && status < 400)
  return isElsewhere || text.trimStart().startsWith('<') || isBinary(text)
}

function isBinary(text: string): boolean {
  return /[^\P{Cc}\t\n\f\r]|\ufffd/u.test(text)
}

function describe({ status, exchange, headers, text }: HttpResponse): string {
  const path = new URL(exchange.request.url).pathname
  const location = headers.location === undefined ? '' : ` (to ${headers.location})`
  const page = text.trimStart().startsWith('<') ? ' with an HTML page' : isBinary(text) ? ' with binary bytes' : ''
  return `${exchange.request.method} ${path} returns ${status}${location}${page}`
}

/** The base URLs with a shorter path, longest first. */
function parentsOf(url: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const names = pathname.split('/').filter((name) => name !== '')
  const parents = names.map((_, at) => baseUrlOf([origin, ...names.slice(0, at)].join('/'), '/api'))
  return [...new Set(parents.toReversed())]
}
