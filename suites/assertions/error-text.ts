import { type ErrorKind, type PluginErrorKindId, pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'
import type { Exchange } from '../client/exchange.ts'
import { isObject } from '../client/json.ts'
import type { HttpResponse } from '../client/response.ts'

/** What an error text depends on: the request, the body of the response as JSON, and the methods that a 405 allows. */
type Worded = Pick<HttpResponse, 'json' | 'headers'> & { readonly exchange: Pick<Exchange, 'request'> }

const namesOf = new Map<string, ErrorKind['names']>(pluginErrorKinds.map((kind: ErrorKind) => [kind.id, kind.names]))

/**
 * The text of an error of this kind; null if there is none. If such a text may name the wrong field, `{field}` replaces
 * `master`, in which the kit makes its mistakes. If it may name methods, `{allow}` replaces those of the Allow header.
 * `{method}` and `{path}` replace those of the request.
 */
export function errorTextIn({ exchange, json, headers }: Worded, kind: PluginErrorKindId): string | null {
  const error = isObject(json) ? json.error : undefined
  if (typeof error !== 'string') return null
  const names = namesOf.get(kind)
  if (names === 'field') return error.replace(/\bmaster\b/g, '{field}')
  if (names === undefined) return error
  const { allow } = headers
  const withoutAllow = names === 'allow' && allow ? error.replaceAll(allow, '{allow}') : error
  const { method, url } = exchange.request
  const path = new URL(url).pathname.replace(/^.*(?=\/api\/)/, '')
  return withoutAllow.replaceAll(path, '{path}').replaceAll(new RegExp(`\\b${method}\\b`, 'g'), '{method}')
}
