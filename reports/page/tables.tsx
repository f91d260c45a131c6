import { type ComponentChildren, Fragment } from 'preact'
import { statusLabels, statusSigns } from '../phrases.ts'
import type { Cell, Grid, Section as SectionOfPage, Table } from '../tables.ts'
import { cellText } from '../tables-text.ts'
import { visible } from '../visible.ts'
import { Section } from './section.tsx'
import { StatusBadge } from './status-badge.tsx'

/** A section of lists and tables. */
export function SectionContent({ id, title, count, colour, note, ...content }: SectionOfPage) {
  const { lines = [], facts = [], tables = [], grid } = content
  return (
    <Section id={id} title={visible(title)} count={count} note={note} alarms={colour === 'red'}>
      <List lines={lines} />
      <Facts facts={facts} />
      {tables.map((table, place) => (
        <TableOfTexts key={place} label={labelOf(title, table)} table={table} />
      ))}
      {grid && <TableOfStatuses label={title} grid={grid} />}
    </Section>
  )
}

function List({ lines }: { readonly lines: readonly Cell[] }) {
  if (lines.length === 0) return null
  return (
    <ul>
      {lines.map((line, place) => (
        <li key={place}>
          <Inline cell={line} />
        </li>
      ))}
    </ul>
  )
}

/** The tables of a section need different names. */
function labelOf(section: string, { title }: Table): string {
  return title === undefined ? section : `${section}: ${cellText(title)}`
}

function Facts({ facts }: { readonly facts: NonNullable<SectionOfPage['facts']> }) {
  if (facts.length === 0) return null
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Inline cell={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface Labelled {
  readonly label: string
}

/** A table, which may be wider than the page. `label` names it. */
function Scrolling({
  label,
  look,
  heads,
  rows,
}: Labelled & {
  readonly look: 'list' | 'numbers' | 'grid'
  readonly heads: readonly string[]
  readonly rows: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, too
    <section class="scroll" tabIndex={0} aria-label={`Table: ${visible(label)}`}>
      <table class={look}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </section>
  )
}

function TableOfTexts({
  label,
  table: { title, lines = [], heads, rows, numbers = false },
}: Labelled & { readonly table: Table }) {
  const shown = rows.map(([first = '', ...cells], row) => (
    <tr key={row}>
      <th scope="row">
        <Inline cell={first} />
      </th>
      {cells.map((cell, column) => (
        <td key={column}>
          <Inline cell={cell} />
        </td>
      ))}
    </tr>
  ))
  return (
    <>
      {title !== undefined && (
        <h3>
          <Inline cell={title} />
        </h3>
      )}
      <List lines={lines} />
      <Scrolling label={label} look={numbers ? 'numbers' : 'list'} heads={heads} rows={shown} />
    </>
  )
}

function TableOfStatuses({ label, grid: { heads, rows } }: Labelled & { readonly grid: Grid }) {
  const shown = rows.map(({ name, about, statuses }, row) => (
    <tr key={row}>
      <th scope="row">
        <Inline cell={name} /> <small>{about}</small>
      </th>
      {statuses.map((status, column) => (
        <td key={column} class={status ?? ''} title={status === null ? '' : statusLabels[status]}>
          {status !== null && statusSigns[status]}
        </td>
      ))}
    </tr>
  ))
  return <Scrolling label={label} look="grid" heads={heads} rows={shown} />
}

/** Renders parts between backticks as code. */
export function WithCode({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, place) => (place % 2 === 0 ? part : <code key={place}>{part}</code>))}</>
}

function Inline({ cell }: { readonly cell: Cell }) {
  if (typeof cell !== 'object') return <>{visible(String(cell))}</>
  if ('code' in cell) return <code>{visible(cell.code)}</code>
  if ('prose' in cell) return <WithCode text={visible(cell.prose)} />
  if ('link' in cell) return <a href={cell.link}>{visible(cell.text)}</a>
  if ('status' in cell) return <StatusBadge status={cell.status} />
  const parts = 'below' in cell ? cell.below : 'list' in cell ? cell.list : cell
  const between = 'below' in cell ? <br /> : 'list' in cell ? ', ' : ' '
  return (
    <>
      {parts.map((part, place) => (
        <Fragment key={place}>
          {place > 0 && between}
          <Inline cell={part} />
        </Fragment>
      ))}
    </>
  )
}
