import type { ProfileOptions } from '../../simulator/index.ts'
import type { Words } from '../../suites/parity/compare.ts'

/** Which texts of errors a profile records: those, and no others, the target is expected to use. */
export function wordsOf(profile: ProfileOptions | null): Words {
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
  return { isRecorded: (text) => texts.some((pattern) => pattern.test(text)) }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
