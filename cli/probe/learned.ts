import type { WordedHeaders } from '../../simulator/index.ts'
import type { PluginErrorKindId } from '../../spec/plugin/error-kinds.ts'

/** Something that was looked for: what was found, or else why it is not known. */
export type Finding<Value> = { readonly known: Value } | { readonly unknown: string }

/** What a probe has learned about a server, secrets already redacted. */
export interface Learned {
  readonly url: string
  readonly plugin: { readonly name: string; readonly version: string } | null
  readonly capacity: Finding<number>
  /** For every question. */
  readonly answers: ReadonlyMap<string, Finding<string>>
  readonly headers: Partial<WordedHeaders>
  /** Where they are not the usual ones. */
  readonly reasonPhrases: Readonly<Record<string, string>>
  /** For every kind of error that the answers allow to come up. */
  readonly errorTexts: ReadonlyMap<PluginErrorKindId, Finding<string>>
}
