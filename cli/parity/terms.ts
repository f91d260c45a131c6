import picomatch from 'picomatch'
import type { ProfileOptions } from '../../simulator/index.ts'
import type { Terms } from '../../suites/twin/compare.ts'

/**
 * What is compared: only error texts that the profile records, and every path that is not ignored.
 * `ignored` holds globs over paths like `/rules/0/note`.
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
