/** One option of a configuration file, not yet checked. */
export interface ConfigEntry {
  readonly key: string
  /** Numbers of YAML and JSON are strings as they are written: flags are strings too. */
  readonly value: unknown
  /** Counted from 1; null where it is not known. */
  readonly line: number | null
}

/** What a configuration file holds. */
export interface ConfigFile {
  /** The path as found or given, for messages. */
  readonly path: string
  readonly entries: readonly ConfigEntry[]
}

/** A position in a file, as editors and terminals understand it. */
export function place(path: string, line: number | null): string {
  return line === null ? path : `${path}:${line}`
}
