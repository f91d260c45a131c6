import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { statusLabels, statusSigns } from '../phrases.ts'
import type { RequirementStatus } from '../report.ts'

interface LazyDetailsGiven {
  readonly id?: string
  readonly class?: string
  readonly summary: ComponentChildren
  /** Whether it is initially open. It also opens when this becomes true. */
  readonly open?: boolean
  /** Whether it is open on a printed page. */
  readonly printed?: boolean
  /** Rendered only once it is open. */
  readonly children: () => ComponentChildren
}

/** Details whose content is not rendered until they are opened. */
export function LazyDetails({ id, class: name, summary, open = false, printed = false, children }: LazyDetailsGiven) {
  const [isOpen, setOpen] = useState(open)
  useEffect(() => {
    if (open) setOpen(true)
  }, [open])
  useEffect(() => {
    if (!printed) return
    const unfold = () => setOpen(true)
    addEventListener('beforeprint', unfold)
    return () => removeEventListener('beforeprint', unfold)
  }, [printed])
  return (
    <details id={id} class={name} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}

interface CopyButtonGiven {
  readonly label: string
  /** Called only when the text is copied. */
  readonly text: () => string
}

/** Copies a text. If the browser does not allow that, shows a field to copy from. */
export function CopyButton({ label, text }: CopyButtonGiven) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span class="note" role="status">
        {state === 'copied' && 'Copied'}
      </span>
      {state === 'failed' && <textarea aria-label={label} readOnly rows={8} value={text()} />}
    </>
  )
}

interface SectionGiven {
  readonly id: string
  readonly title: string
  readonly count?: number | string | undefined
  readonly note?: ComponentChildren
  readonly alarms?: boolean
  readonly children: ComponentChildren
}

export function Section({ id, title, count, note, alarms = false, children }: SectionGiven) {
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

/** A status as a sign and a word. */
export function StatusBadge({ status }: { readonly status: RequirementStatus }) {
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{statusSigns[status]}</span> {statusLabels[status]}
    </span>
  )
}
