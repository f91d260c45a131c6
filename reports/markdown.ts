import { visible, visibleLine } from './visible.ts'

/** Escapes text as one line of Markdown that shows every character literally. */
export function markdownText(text: string): string {
  const escaped = visibleLine(text).replace(/[\\`*_[\]<>|~&#!$@]/g, (character) =>
    // GitHub ignores a backslash before @ and would notify the user of that name.
    character === '@' ? '&#64;' : `\\${character}`,
  )
  return escaped.replace(/^[-+=]/, '\\$&').replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
}

/** Text as inline code, even if it contains backticks. */
export function markdownCode(text: string): string {
  const line = visibleLine(text)
  const fence = '`'.repeat(longestRun(line) + 1)
  return line.includes('`') ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** Text as a fenced block that its content cannot close. */
export function markdownBlock(language: string, text: string): string {
  const shown = visible(text)
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1))
  return [`${fence}${language}`, ...shown.split('\n'), fence].join('\n')
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
