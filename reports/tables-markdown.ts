import { markdownCode, markdownText } from './markdown.ts'
import { statusLabels, statusSigns } from './phrases.ts'
import type { Cell, Grid, Page, Section, Table } from './tables.ts'

/** A page as Markdown, for a pull request or the summary of a job. */
export function pageMarkdown({ heading, lines, sections }: Page): string {
  return `${[`# ${markdownText(heading)}`, ...listMarkdown(lines), ...sections.flatMap(sectionMarkdown)].join('\n\n')}\n`
}

/** The parts of a section, to be separated by empty lines. */
export function sectionMarkdown(section: Section): readonly string[] {
  const { title, count, note, lines = [], facts = [], tables = [], grid } = section
  const counted = typeof count === 'string' ? `: ${markdownText(count)}` : ''
  return [
    `## ${markdownText(title)}${counted}`,
    ...(note === undefined ? [] : [markdownText(note)]),
    ...listMarkdown([...lines, ...facts.map(([name, value]): Cell => [`${name}:`, value])]),
    ...tables.flatMap(tableMarkdown),
    ...(grid === undefined ? [] : [gridMarkdown(grid)]),
  ]
}

function tableMarkdown({ title, lines = [], heads, rows, numbers = false }: Table): readonly string[] {
  const cells = rows.map((row) => row.map(cellMarkdown))
  const heading = title === undefined ? [] : [`### ${cellMarkdown(title)}`]
  return [...heading, ...listMarkdown(lines), markdownTable(heads, cells, numbers)]
}

function gridMarkdown({ heads, rows }: Grid): string {
  const cells = rows.map(({ name, about, statuses }) => [
    cellMarkdown(name),
    markdownText(about),
    ...statuses.map((status) => (status === null ? '' : statusSigns[status])),
  ])
  const [first = '', ...columns] = heads
  return markdownTable([first, '', ...columns], cells)
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[], numbers = false): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, column) => (numbers && column > 0 ? '---:' : '---')))
  return [line(head), rule, ...rows.map(line)].join('\n')
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
  if ('list' in cell) return cell.list.map(cellMarkdown).join(', ')
  if ('below' in cell) return cell.below.map(cellMarkdown).join('<br>')
  return cell.map(cellMarkdown).join(' ')
}
