import { markdownCode, markdownText } from './markdown.ts'
import { statusLabels, statusSigns } from './phrases.ts'
import type { Cell, Page, Section, Table } from './tables.ts'

/** A page as Markdown, for a pull request or the summary of a job. */
export function pageMarkdown({ heading, lines, sections }: Page): string {
  return `${[`# ${markdownText(heading)}`, ...listMarkdown(lines), ...sections.flatMap(sectionMarkdown)].join('\n\n')}\n`
}

/** The parts of a section, to be separated by empty lines. */
export function sectionMarkdown(section: Section): readonly string[] {
  const { title, count, note, lines = [], facts = [], tables = [] } = section
  const counted = typeof count === 'string' ? `: ${markdownText(count)}` : ''
  return [
    `## ${markdownText(title)}${counted}`,
    ...(note === undefined ? [] : [markdownText(note)]),
    ...listMarkdown([...lines, ...facts.map(([name, value]): Cell => [`${name}:`, value])]),
    ...tables.flatMap(tableMarkdown),
  ]
}

function tableMarkdown({ title, lines = [], heads, rows, columns }: Table): readonly string[] {
  const heading = title === undefined ? [] : [`### ${cellMarkdown(title)}`]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = line(heads.map((_, place) => (columns === 'numbers' && place > 0 ? '---:' : '---')))
  const body = rows.map((row) => line(row.map(cellMarkdown)))
  return [...heading, ...listMarkdown(lines), [line(heads), rule, ...body].join('\n')]
}

export function listMarkdown(lines: readonly Cell[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.map((line) => `- ${cellMarkdown(line)}`).join('\n')]
}

export function cellMarkdown(cell: Cell): string {
  if (typeof cell !== 'object') return markdownText(String(cell))
  // A `|` ends a cell of a table even inside code.
  if ('code' in cell) return cell.code.includes('|') ? markdownText(cell.code) : markdownCode(cell.code)
  if ('prose' in cell) {
    const parts = cell.prose.split('`')
    return parts
      .map((part, place) => (place % 2 === 0 ? part.replace(/\S.*\S|\S/s, markdownText) : markdownCode(part)))
      .join('')
  }
  if ('link' in cell && cell.link.startsWith('#')) return markdownText(cell.text)
  if ('link' in cell) return `[${markdownText(cell.text)}](${cell.link})`
  if ('status' in cell) return statusLabels[cell.status]
  if ('sign' in cell) return cell.sign === null ? '' : statusSigns[cell.sign]
  if ('list' in cell) return cell.list.map(cellMarkdown).join(', ')
  if ('below' in cell) return cell.below.map(cellMarkdown).join('<br>')
  return cell.map(cellMarkdown).join(' ')
}
