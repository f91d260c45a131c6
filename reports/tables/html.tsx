import { type ComponentChildren, Fragment } from 'preact'
import { tableStyle } from '../html/assets.ts'
import { renderShell } from '../html/shell.tsx'
import { Section } from '../page/section.tsx'
import { statusLabels, statusSigns } from '../phrases.ts'
import { visible } from '../visible.ts'
import type { Cell, Grid, Page, Section as SectionOfPage, Table } from './page.ts'
import { cellText } from './terminal.ts'

/** A page as HTML, without scripts. */
export function pageHtml({ look, kit, heading, lines, sections, otherFiles = [] }: Page): string {
  return renderShell({
    title: heading,
    style: tableStyle(),
    kit,
    otherFiles,
    banner: (
      <header class={`banner ${look}`}>
        <p class="kit">
          {kit.name} {kit.version}
          {kit.requirementsVersion && `, requirements ${kit.requirementsVersion}`}
        </p>
        <h1>{visible(heading)}</h1>
        {lines.map((line) => (
          <p key={line}>{visible(line)}</p>
        ))}
      </header>
    ),
    results: (
      <>
        <nav aria-label="Sections of this page">
          {sections.map(({ id, title, count }) => (
            <a key={id} href={`#part-${id}`}>
              {visible(title)} {count !== undefined && <small>{count}</small>}
            </a>
          ))}
        </nav>
        {sections.map((section) => (
          <SectionContent key={section.id} {...section} />
        ))}
      </>
    ),
  })
}

function SectionContent({ id, title, count, note, lines = [], tables = [], grid }: SectionOfPage) {
  return (
    <Section id={`part-${id}`} title={visible(title)} count={count} note={note}>
      <List lines={lines} />
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

/** Two tables of a section must not have one name. */
function labelOf(section: string, { title }: Table): string {
  return title === undefined ? section : `${section}: ${cellText(title)}`
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
  readonly look: 'list' | 'grid'
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

function TableOfTexts({ label, table: { title, lines = [], heads, rows } }: Labelled & { readonly table: Table }) {
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
      <Scrolling label={label} look="list" heads={heads} rows={shown} />
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

function Inline({ cell }: { readonly cell: Cell }) {
  if (typeof cell !== 'object') return <>{visible(String(cell))}</>
  if ('code' in cell) return <code>{visible(cell.code)}</code>
  if ('link' in cell) return <a href={cell.link}>{visible(cell.text)}</a>
  const isBelow = 'below' in cell
  return (
    <>
      {(isBelow ? cell.below : cell).map((one, place) => (
        <Fragment key={place}>
          {place > 0 && (isBelow ? <br /> : ' ')}
          <Inline cell={one} />
        </Fragment>
      ))}
    </>
  )
}
