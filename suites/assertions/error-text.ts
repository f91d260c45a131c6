import { type ErrorKind, type PluginErrorKindId, pluginErrorKinds } from '../../spec/plugin/error-kinds.ts'

/** The parts of a response that show an error text: the body as JSON, and the methods that a 405 allows. */
interface ErrorTextSource {
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

const namesOf = new Map<string, ErrorKind['names']>(pluginErrorKinds.map((kind: ErrorKind) => [kind.id, kind.names]))

/**
 * The text of an error of this kind; null if there is none. Where such a text may name the wrong field, `{field}`
 * replaces `master`, in which the kit makes its mistakes. Where it may name methods, `{allow}` replaces those of the
 * Allow header.
 */
export function errorTextIn({ json, headers }: ErrorTextSource, kind: PluginErrorKindId): string | null {
  const { error } = (typeof json === 'object' && json !== null ? json : {}) as { readonly error?: unknown }
  if (typeof error !== 'string') return null
  const names = namesOf.get(kind)
  if (names === 'field') return error.replace(/\bmaster\b/g, '{field}')
  const { allow } = headers
  return names === 'allow' && allow ? error.replaceAll(allow, '{allow}') : error
}
