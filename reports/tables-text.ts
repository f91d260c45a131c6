import type { Paint } from './paint.ts'
import { firstOf, plural, statusLabels, statusSigns } from './phrases.ts'
import type { Cell, Page, Section, Table } from './tables.ts'
import { visible, visibleLine } from './visible.ts'

/** A page for a terminal; the heading comes last. */
export function pageText({ heading, lines, sections }: Page, paint: Paint): string {
  const blocks = [lines.map(visible), ...sections.map((section) => sectionLines(section, paint))]
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'))
  return `${[...shown, `${visibleLine(heading)}.`].join('\n\n')}\n`
}

function sectionLines({ title, count, colour = 'cyan', note, lines = [], tables = [] }: Section, paint: Paint) {
  const counted = typeof count === 'string' ? `: ${count}` : ''
  return [
    `${paint(colour, visibleLine(title))}${counted}`,
    ...lines.map((line) => `  ${cellText(line)}`),
    ...tables.flatMap((table) => (table.columns === 'signs' ? gridLines(table) : tableLines(table, paint))),
    ...(note === undefined ? [] : ['', note]),
  ]
}

/** The first two cells of a row share a line. Each further cell is below, with the head of its column. */
function tableLines({ title, colour = 'cyan', heads, rows }: Table, paint: Paint): readonly string[] {
  const [, , ...labels] = heads.map((head) => head.toLowerCase())
  const width = Math.max(0, ...labels.map(({ length }) => length))
  const margin = title === undefined ? '  ' : '    '
  const lines = rows.flatMap(([subject = '', about = '', ...others]) => [
    `${margin}${paint('bold', cellText(subject))} ${cellText(about)}`,
    ...others.map((cell, place) => `${margin}  ${paint('dim', (labels[place] ?? '').padEnd(width))} ${cellText(cell)}`),
  ])
  return title === undefined ? lines : [`  ${paint(colour, cellText(title))}`, ...lines]
}

function gridLines({ heads, rows }: Table): readonly string[] {
  const lines = [['', ...heads.slice(1)], ...rows].map((row) => row.map(cellText))
  const width = Math.max(...lines.map(([name = '']) => name.length))
  return lines.map(([name = '', ...cells]) => {
    return [name.padEnd(width), ...cells.map((text) => text.padStart(3))].join(' ').trimEnd()
  })
}

export function cellText(cell: Cell): string {
  if (typeof cell !== 'object') return visibleLine(String(cell))
  if ('code' in cell) return visibleLine(cell.code)
  if ('prose' in cell) return visibleLine(cell.prose)
  if ('link' in cell) return visibleLine(cell.text)
  if ('status' in cell) return statusLabels[cell.status]
  if ('sign' in cell) return cell.sign === null ? '' : statusSigns[cell.sign]
  if ('list' in cell) return firstOf(cell.list.map(cellText), 4)
  return ('below' in cell ? cell.below : cell).map(cellText).join(' ')
}

/** A row on one line: after its first cell, each further cell with the head of its column. */
export function rowText({ heads }: Pick<Table, 'heads'>, [first = '', ...others]: readonly Cell[], paint: Paint) {
  const parts = others.flatMap((cell, place) => {
    const [head, text] = [(heads[place + 1] ?? '').toLowerCase(), cellText(cell)]
    if (text === '') return []
    return typeof cell === 'number' ? plural(cell, head.replace(/s$/, '')) : `${head} ${text}`
  })
  return `${cellText(first)} ${paint('dim', `(${parts.join(', ')})`)}`
}
