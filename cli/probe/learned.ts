import type { WordedHeaders } from '../../simulator/index.ts'
import type { PluginErrorKindId } from '../../spec/plugin/error-kinds.ts'

/** An observed value, or the reason why it is unknown. */
export type Observed<Value> = { readonly known: Value } | { readonly unknown: string }

/** What a probe has learned about a server, with secrets redacted. */
export interface Learned {
  readonly url: string
  readonly plugin: { readonly name: string; readonly version: string } | null
  readonly capacity: Observed<number>
  /** For every question. */
  readonly answers: ReadonlyMap<string, Observed<string>>
  readonly headers: Partial<WordedHeaders>
  /** Only those that differ from the standard ones. */
  readonly reasonPhrases: Readonly<Record<string, string>>
  /** For every kind of error that is possible with the answers. */
  readonly errorTexts: ReadonlyMap<PluginErrorKindId, Observed<string>>
}
