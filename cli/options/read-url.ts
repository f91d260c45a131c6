import { UsageError } from '../command-error.ts'

/** A URL option, and how it is read. */
interface UrlOption {
  readonly option: string
  readonly example: string
  readonly normalise: (text: string) => string
}

/** @throws {UsageError} for a URL that `normalise` rejects */
export function readUrl(text: string, { option, example, normalise }: UrlOption): string {
  try {
    return normalise(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`\`${option}\` is not a usable URL: ${reason}.`, `Give a URL like \`${example}\`.`, { cause })
  }
}
