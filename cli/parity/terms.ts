import picomatch from 'picomatch'
import type { ProfileOptions } from '../../simulator/index.ts'
import type { Terms } from '../../suites/twin/compare.ts'

/**
 * What counts: the texts of errors that the profile records, and no others, and whatever is not to be
 * ignored. `ignored` are globs over places like `/rules/0/note`.
 */
export function termsOf(profile: ProfileOptions | null, ignored: readonly string[] = []): Terms {
  const texts = Object.values(profile?.errorTexts ?? {}).map(
    (text) =>
      new RegExp(
        `^${text
          .split(/\{(?:field|allow)\}/)
          .map(literal)
          .join('.*')}$`,
        's',
      ),
  )
  return {
    isRecorded: (text) => texts.some((pattern) => pattern.test(text)),
    isIgnored: ignored.length === 0 ? () => false : picomatch([...ignored]),
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
