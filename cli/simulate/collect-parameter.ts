import { UsageError } from '../command-error.ts'

/** Splits `Copy_1=1001>2001,mult,1.0,same` at the first `=`. */
export function collectParameter(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1)
    throw new UsageError(`\`--param ${text}\` has no name.`, 'Use the form `--param "Copy_1=1001>2001,mult,1.0,same"`.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}
