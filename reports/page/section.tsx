import { type ComponentChildren, Fragment } from 'preact'
import { statusLabels, statusSigns } from '../phrases.ts'
import type { RequirementStatus } from '../report.ts'
import type { Cell, Section as SectionData, Table } from '../tables.ts'
import { cellText } from '../tables-text.ts'
import { visible } from '../visible.ts'

interface Given {
  readonly id: string
  readonly title: string
  readonly count?: number | string | undefined
  readonly note?: ComponentChildren
  readonly alarms?: boolean
  readonly children: ComponentChildren
}

export function Section({ id, title, count, note, alarms = false, children }: Given) {
  return (
    <section id={id} aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>
        {title} {count !== undefined && <small>{count}</small>}
      </h2>
      {note !== undefined && <p class={alarms ? 'harmed' : 'note'}>{note}</p>}
      {children}
    </section>
  )
}

export function SectionContent({ id, title, count, colour, note, ...content }: SectionData) {
  const { lines = [], facts = [], tables = [] } = content
  return (
    <Section id={id} title={visible(title)} count={count} note={note} alarms={colour === 'red'}>
      <List lines={lines} />
      {facts.length > 0 && <Facts facts={facts} />}
      {tables.map((table, place) => (
        <TableContent key={place} section={title} table={table} />
      ))}
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

function Facts({ facts }: Required<Pick<SectionData, 'facts'>>) {
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

export function Heads({ heads }: Pick<Table, 'heads'>) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function TableContent({ section, table }: { readonly section: string; readonly table: Table }) {
  const { title, lines = [], heads, rows, columns = 'list' } = table
  // The tables of a section need different names.
  const label = title === undefined ? section : `${section}: ${cellText(title)}`
  return (
    <>
      {title !== undefined && (
        <h3>
          <Inline cell={title} />
        </h3>
      )}
      <List lines={lines} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, which may be wider than the page */}
      <section class="scroll" tabIndex={0} aria-label={`Table: ${visible(label)}`}>
        <table class={columns}>
          <Heads heads={heads} />
          <tbody>
            {rows.map(([first = '', ...cells], row) => (
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
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface Links {
  readonly label: string
  readonly sections: readonly Pick<SectionData, 'id' | 'title' | 'count'>[]
}

/** Links to the sections of a page. */
export function Navigation({ label, sections }: Links) {
  return (
    <nav aria-label={label}>
      {sections.map(({ id, title, count }) => (
        <a key={id} href={`#${id}`}>
          {visible(title)} {count !== undefined && <small>{count}</small>}
        </a>
      ))}
    </nav>
  )
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
  if ('sign' in cell) return cell.sign && <Sign status={cell.sign} />
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

function Sign({ status }: { readonly status: RequirementStatus }) {
  return (
    <span class={`sign ${status}`} title={statusLabels[status]}>
      {statusSigns[status]}
    </span>
  )
}

export function StatusBadge({ status }: { readonly status: RequirementStatus }) {
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{statusSigns[status]}</span> {statusLabels[status]}
    </span>
  )
}
