import type { ComponentChildren } from 'preact'

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
